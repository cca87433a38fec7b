package fleet

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
)

// Sentinels for errors.Is.
const (
	// ErrHub: the hub cannot be reached, or refuses the user.
	ErrHub fault.Kind = "hub not reached"
	// ErrAddress: what should name a hub does not.
	ErrAddress fault.Kind = "invalid hub"
	// ErrVersion: a target of the hub runs another version.
	ErrVersion fault.Kind = "another version at the hub"
	// ErrBroken: a connection over the hub ended, or lost a part of what it carried.
	ErrBroken fault.Kind = "connection over the hub broken"
)

// Codes of a hub that cannot write to the folder of its streams, which package jetstream has no names for.
var noRoom = map[jetstream.ErrorCode]bool{
	jetstream.JSErrCodeConsumerCreate: true,
	10023:                             true, // insufficient resources
	10047:                             true, // insufficient storage resources
	10049:                             true, // a stream cannot be made
	10069:                             true, // a stream cannot be changed
	10077:                             true, // a message cannot be stored
	10104:                             true, // a consumer cannot be stored
}

// What to do about a hub that keeps nothing.
const (
	FixRoom   = "make room in the folder of its --store, or start it with another one; the hub then continues by itself"
	FixStore  = "start it with `vyretop hub --store FOLDER`; if it has a folder, see whether there is room in it"
	fixSilent = "see whether the hub runs, and whether it says that its folder has no room, and try again"
)

// Explain says what an error of a hub's streams means and what to do about it, in place of its own text; ok is false for an error that is none of them.
func Explain(err error) (detail, fix string, ok bool) {
	var api *jetstream.APIError
	switch {
	case errors.As(err, &api) && noRoom[api.ErrorCode]:
		return "the hub has no room for it", FixRoom, true
	case errors.As(err, &api):
		return "the hub refuses it: " + api.Description, fixSilent, true
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "the hub did not answer in time", fixSilent, true
	}
	return "", "", false
}

// explained replaces the cause of an error by what it means.
func explained(e *fault.Error, err error) {
	if detail, fix, ok := Explain(err); ok {
		e.Detail, e.Cause, e.Fix = detail, nil, fix
	}
}
