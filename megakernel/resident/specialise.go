package resident

import (
	"context"
	"fmt"
	"slices"
)

// Specialize has the next slices run a kernel whose passes are compiled for the opcodes given; the others are
// run when serving, with the same results. No opcode gives the kernel for all of them back. It returns when
// a slice has begun with the new form; when ctx ends first that happens later.
//
// Slices continue while the kernel is compiled, on most drivers (package gl says on which); else they pause
// in the meantime, and tasks do not get lost. Errors: kernel.ErrConfig for opcodes that cannot be hot,
// ErrStopped when the session has ended, the backend's, or that of ctx; but for the last the old form continues.
func (fs *forms) Specialize(ctx context.Context, hot ...uint32) error {
	changed := false
	err := fs.reform(ctx, "specialise", func(wanted *form) (*form, error) {
		if slices.Equal(wanted.kernel.Config.Hot, hot) {
			return nil, nil
		}
		changed = true
		return fs.formFor(ctx, wanted.kernel.Config.WorkgroupSize, hot, wanted.breaks, wanted.breaks)
	})
	if err == nil && changed {
		fs.events("specialise", formText(hot))
	}
	return err
}

// Hot lists the opcodes for which the running kernel is specialized, none when it is for all.
func (fs *forms) Hot() []uint32 { return slices.Clone(fs.form.Load().kernel.Config.Hot) }

func formText(hot []uint32) string {
	if len(hot) == 0 {
		return "the scheduling pass runs all opcodes"
	}
	return fmt.Sprintf("the scheduling pass runs opcodes %v, the service pass the others", hot)
}
