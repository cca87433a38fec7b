package work

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
	"vyretop/megakernel/fleet"
)

// Sentinels for errors.Is.
const (
	// ErrQueue: a queue cannot be used.
	ErrQueue fault.Kind = "queue cannot be used"
	// ErrName: a name is not one of a queue.
	ErrName fault.Kind = "invalid name of a queue"
	// ErrInputs: this machine has other inputs than those that were submitted.
	ErrInputs fault.Kind = "other inputs than were submitted"
	// ErrFailed: tasks of a queue have failed.
	ErrFailed fault.Kind = "tasks of the queue failed"
)

// failure says why something could not be done with a queue.
func failure(name string, err error) error {
	e := &fault.Error{Kind: ErrQueue, Subject: "queue " + name, Cause: err, Fix: "see whether the hub is there, and has room, and try again"}
	detail, fix, explained := fleet.Explain(err)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		e.Detail, e.Cause, e.Fix = "there is no such queue", nil, "vyretop queue lists the queues; make one with `vyretop submit`"
	case errors.Is(err, jetstream.ErrStreamNameAlreadyInUse):
		e.Detail, e.Cause, e.Fix = "there is one of this name with other work", nil, "use another name, or delete it with `vyretop queue "+name+" --delete`"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		e.Detail, e.Cause, e.Fix = "the hub keeps no streams", nil, fleet.FixStore
	case errors.Is(err, nats.ErrPermissionViolation):
		e.Detail, e.Cause, e.Fix = "the hub does not allow this user to use queues", nil, "have its administrator make the user with --runs or --level administer"
	case explained:
		e.Detail, e.Cause, e.Fix = detail, nil, fix
	}
	return e
}

// CheckName finds what is wrong with the name of a queue. The error is ErrName.
func CheckName(name string) error {
	if name == "" || fleet.Token(name) != name {
		return &fault.Error{Kind: ErrName, Subject: fmt.Sprintf("queue %q", name), Detail: "invalid name", Fix: "use letters, digits, - and _, at most 64"}
	}
	return nil
}
