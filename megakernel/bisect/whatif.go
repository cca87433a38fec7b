package bisect

import (
	"context"
	"errors"

	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
)

// WhatIf says what of a recorded run is changed.
type WhatIf struct {
	Recording  string
	Task       uint32
	Activation int      // of the task, from 1
	Set        []string // see replay.ParseValue
	Handlers   string   // of the changed run from there on: a file or a workload; "" for those of the recording
}

// Run executes the run as it was recorded and changed. Errors are those of replay.Suppose and replay.ParseValue, and of workloads and files.
func (w *WhatIf) Run(ctx context.Context) (out *replay.Bisection, err error) {
	rec, err := inspect.OpenRecording(w.Recording)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	h := rec.Header()
	s := &replay.Supposed{Task: w.Task, Number: w.Activation}
	for _, text := range w.Set {
		v, err := replay.ParseValue(&h, text)
		if err != nil {
			return nil, err
		}
		s.Set = append(s.Set, v)
	}
	var with replay.Handlers
	if w.Handlers != "" {
		if with, err = HandlersOf(ctx, w.Handlers); err != nil {
			return nil, err
		}
	}
	return replay.Suppose(ctx, w.Recording, rec, s, with)
}
