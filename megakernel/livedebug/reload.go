package livedebug

import (
	"context"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
)

// ErrReload is the kind of the error of a run whose handlers cannot be read again.
const ErrReload fault.Kind = "the target has no handlers to reload"

// reloader is a target whose handlers may be read again.
type reloader struct{ of Target }

// Reload implements attach.Reloader.
func (r reloader) Reload(ctx context.Context) (text string, err error) {
	t, ok := r.of.(attach.Reloader)
	if !ok {
		return "", &fault.Error{Kind: ErrReload, Op: "reload", Detail: "the target is not a live run", Fix: "attach to a live run"}
	}
	return t.Reload(ctx)
}
