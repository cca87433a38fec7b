package command

import (
	"context"
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// Recorder is a target that can be recorded from here on: file is as Order.File. It returns what was done, for people.
type Recorder interface {
	Record(ctx context.Context, file string) (text string, err error)
}

func (o *Order) record(ctx context.Context, t Target, r *Result) error {
	rec, ok := t.(Recorder)
	if !ok {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "this target cannot be recorded", Fix: "use a live run"}
	}
	text, err := rec.Record(ctx, o.File)
	r.answer(text, err)
	return err
}

// readRecord reads the file of record. The run itself writes it.
func readRecord(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Record}
	switch {
	case len(args) > 1:
		return o, v.misuse("unexpected argument %q", strings.Join(args[1:], " "))
	case len(args) == 1 && strings.Contains(args[0], "://"):
		return o, &fault.Error{Kind: ErrCommand, Subject: v.Name, Detail: fmt.Sprintf("%q is not a file of the run's machine", args[0]), Fix: "record to a hub with vyretop record nats://HOST/recordings/NAME.mcap RUN"}
	case len(args) == 1:
		o.File = args[0]
	}
	return o, nil
}
