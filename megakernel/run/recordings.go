package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/tasks"
)

// recorders hands everything to several recorders, which may come and go.
type recorders struct {
	mu   sync.RWMutex
	list []live.Recorder
}

func (r *recorders) add(x live.Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, x)
}

// remove returns once nothing is handed to x any longer.
func (r *recorders) remove(x live.Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(y live.Recorder) bool { return x == y })
}

func (r *recorders) each(f func(live.Recorder)) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, x := range r.list {
		f(x)
	}
}

func (r *recorders) Snapshot(s *megakernel.Snapshot) {
	r.each(func(x live.Recorder) { x.Snapshot(s) })
}

func (r *recorders) LogBlocks(blocks megakernel.LogBlocks) {
	r.each(func(x live.Recorder) { x.LogBlocks(blocks) })
}

func (r *recorders) Submitted(at time.Duration, list []tasks.Task) {
	r.each(func(x live.Recorder) { x.Submitted(at, list) })
}

func (r *recorders) Command(at time.Duration, c megakernel.Command) {
	r.each(func(x live.Recorder) { x.Command(at, c) })
}

func (r *recorders) Reloaded(reload megakernel.Reload) {
	r.each(func(x live.Recorder) { x.Reloaded(reload) })
}

func (r *recorders) Event(e megakernel.HostEvent) {
	r.each(func(x live.Recorder) { x.Event(e) })
}

// ErrRecording is the kind of errors about a recording that cannot begin or end now.
const ErrRecording fault.Kind = "recording while the run is under way"

// asked is the recording that somebody has asked for while the run is under way.
type asked struct {
	mu    sync.Mutex       // one begins or ends at a time
	w     *fixtures.Writer // nil for none
	file  string
	since time.Time
	ended bool // the run closes, no other begins

	segments *fixtures.SegmentWriter // the recording of the whole run, where it is in several files

	closing sync.WaitGroup // recordings that have ended and wait for their disk; Add with mu, before ended
}

// recordSegments records the run in several files.
func recordSegments(r *Run, file string, in fixtures.Segments) (err error) {
	r.later.segments, err = fixtures.CreateSegments(file, r.header, in, func(w *fixtures.Writer) {
		w.OnTrouble(func(text string) { r.tellTrouble(w, text) })
	})
	if err == nil {
		r.recorders.add(r.later.segments)
	}
	return err
}

// record begins or ends a recording, as command.Recorder says.
func (r *Run) record(ctx context.Context, file string) (string, error) {
	text, ended, err := r.beginOrEnd(ctx, file)
	if ended == nil || err != nil {
		return text, err
	}
	defer r.later.closing.Done()
	if err := ended.Close(); err != nil { // it may wait for the disk, and keeps no other request back
		return "", err
	}
	return text, nil
}

// beginOrEnd begins a recording, or takes one out, which is to be closed then.
func (r *Run) beginOrEnd(ctx context.Context, file string) (text string, ended *fixtures.Writer, err error) {
	a := &r.later
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended:
		return "", nil, &fault.Error{Kind: ErrRecording, Subject: "record", Detail: "the run has ended", Fix: "record the next one with run --record"}
	case a.w == nil && file == megakernel.StopRecording:
		return "", nil, &fault.Error{Kind: ErrRecording, Subject: "record", Detail: "no recording is under way that was asked for; that of run --record ends with the run", Fix: "start one with record FILE"}
	case a.w == nil:
		text, err = r.beginRecording(file)
		return text, nil, err
	case file == "" || file == megakernel.StopRecording:
		text, ended = endRecording(ctx, r)
		return text, ended, nil
	}
	return "", nil, &fault.Error{Kind: ErrRecording, Subject: "record", Detail: "already recording to " + a.file, Fix: "end that one first: record off"}
}

// beginRecording records from here on in a file, with a name for it where it has none.
func (r *Run) beginRecording(file string) (string, error) {
	if file == "" {
		file = fmt.Sprintf("%s-%s.mcap", r.header.Target.Workload, time.Now().Format("20060102-150405"))
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	header := r.header
	now := r.hub.Target()
	header.Target.Formats, header.Target.Opcodes, header.Target.Reloads = now.Formats, now.Opcodes, now.Reloads
	w, err := fixtures.Create(file, header)
	if err != nil {
		return "", err
	}
	w.OnTrouble(func(text string) { r.tellTrouble(w, text) })
	r.later.w, r.later.file, r.later.since = w, file, time.Now()
	r.recorders.add(w)
	text := "recording to " + file
	r.hub.Event(megakernel.EventRecording, text)
	return text, nil
}

// endRecording takes the recording that was asked for out, with what the buffers hold now.
func endRecording(ctx context.Context, r *Run) (text string, ended *fixtures.Writer) {
	w, file := r.later.w, r.later.file
	r.keepBuffers(ctx, w)
	text = "recorded " + units.Duration(time.Since(r.later.since)) + " to " + file
	r.hub.Event(megakernel.EventRecorded, text)
	r.recorders.remove(w)
	r.later.w = nil
	r.later.closing.Add(1)
	return text, w
}

// closeRecordings ends all recordings. Their errors say what is incomplete.
func (r *Run) closeRecordings() error {
	r.later.closing.Wait()
	var errs []error
	for _, w := range []**fixtures.Writer{&r.recorder, &r.later.w} {
		if *w != nil {
			r.recorders.remove(*w) // a client that comes now is an event, and must not be written behind the end
			errs = append(errs, (*w).Close())
			*w = nil
		}
	}
	if s := r.later.segments; s != nil {
		errs = append(errs, s.Close())
		r.later.segments = nil
	}
	return errors.Join(errs...)
}

// tellRecorder tells of a recording in an event that is not recorded.
func tellRecorder(r *Run, kind, text string) {
	r.hub.AddEvent(megakernel.HostEvent{At: time.Since(r.begun), Kind: kind, Text: text})
}

// tellTrouble tells what goes wrong with a recording, in an event that is not recorded.
func (r *Run) tellTrouble(w *fixtures.Writer, text string) {
	kind := megakernel.EventSlowRecording
	if w.Err() != nil {
		kind = megakernel.EventRecorded
	}
	tellRecorder(r, kind, text)
	if r.warn != nil {
		r.warn(text)
	}
}

// keepAtEnd records what the buffers hold in all recordings.
func (r *Run) keepAtEnd(ctx context.Context) {
	r.keepBuffers(ctx, r.recorder)
	if s := r.later.segments; s != nil {
		r.keepBuffers(ctx, s.Writer())
	}
	r.later.mu.Lock()
	defer r.later.mu.Unlock()
	r.keepBuffers(ctx, r.later.w)
}

// endAsking refuses what is asked for from now on.
func (a *asked) endAsking() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
}
