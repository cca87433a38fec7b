package workload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// publishBatch is how many tasks go to the kernel in one release.
const publishBatch = 256

// Generic is the Definition of a workload that its manifest describes completely.
type Generic struct{ Manifest *Manifest }

// Name implements Definition.
func (g Generic) Name() string { return g.Manifest.Name }

// Title implements Definition.
func (g Generic) Title() string { return g.Manifest.Title }

// Examples implements Definition.
func (g Generic) Examples() []string { return g.Manifest.Examples }

// Flags implements Definition.
func (g Generic) Flags() []Flag {
	out := make([]Flag, 0, len(g.Manifest.Flags))
	for _, f := range g.Manifest.Flags {
		out = append(out, Flag{Name: f.Name, Default: strconv.FormatUint(uint64(f.Default), 10), Help: f.Help, Value: "N"})
	}
	return out
}

// New implements Definition.
func (g Generic) New(values map[string]string) (Workload, error) {
	w := &generic{m: g.Manifest, flags: map[string]uint32{}}
	for _, f := range g.Manifest.Flags {
		w.flags[f.Name] = f.Default
	}
	for name, text := range values {
		f, ok := g.Manifest.flag(name)
		if !ok {
			return nil, Failure(ErrFlag, "--"+name, "workload "+g.Manifest.Name+" has no such flag", nil, "use one of the flags that --help lists")
		}
		v, err := strconv.ParseUint(text, 0, 32)
		if err != nil || uint32(v) < f.Min || uint32(v) > f.Max {
			return nil, Failure(ErrFlag, "--"+name, fmt.Sprintf("%q does not fit", text), nil, fmt.Sprintf("use a number in %d..%d", f.Min, f.Max))
		}
		w.flags[name] = uint32(v)
	}
	return w, nil
}

// observables is the name by which checks and results know the words that operations write.
const observables = "observables"

// generic runs what a manifest describes.
type generic struct {
	m     *Manifest
	flags map[string]uint32

	setup       *Setup
	total, done atomic.Int64
	host        Host // of the run; its buffers hold the result

	declared struct { // what [progress] of the manifest says
		total atomic.Int64
		words atomic.Pointer[engine.Words] // nil before the run
	}
}

// Setup implements Workload.
func (w *generic) Setup(context.Context) (*Setup, error) {
	s, err := w.m.Setup(w.flags)
	if err != nil {
		return nil, err
	}
	total, err := w.m.countTasks(w.flags)
	if err != nil {
		return nil, err
	}
	if w.m.Progress != nil {
		all, err := w.m.progressTotal(w.flags, s.Buffers)
		if err != nil {
			return nil, err
		}
		w.declared.total.Store(all)
	}
	w.setup = s
	w.total.Store(total)
	return s, nil
}

// Run implements Workload.
func (w *generic) Run(ctx context.Context, h Host) error {
	ctx, cancel := context.WithCancel(ctx)
	if w.m.Progress != nil {
		words := h.Buffer(w.m.Progress.Buffer)
		w.declared.words.Store(&words)
	}
	published := make(chan error, 1)
	var publisher sync.WaitGroup
	publisher.Go(func() { published <- w.publish(ctx, h) })
	err := w.collect(ctx, h, published)
	cancel()
	publisher.Wait()
	w.host = h
	return err
}

// buffers are the host-visible buffers as they are. They are read late: tasks that handlers have
// spawned may still run when the published ones have ended.
func (w *generic) buffers() map[string][]uint32 {
	if w.host == nil {
		return nil
	}
	now := map[string][]uint32{}
	for _, b := range w.setup.Buffers {
		if b.HostVisible {
			now[b.Name] = snapshot(w.host.Buffer(b.Name))
		}
	}
	if w.setup.Observables > 0 {
		now[observables] = snapshot(w.host.Buffer("control")[megakernel.CtrlObservable0:])
	}
	return now
}

func snapshot(words engine.Words) []uint32 {
	out := make([]uint32, len(words))
	words.CopyTo(out, 0)
	return out
}

// publish hands all initial tasks over.
func (w *generic) publish(ctx context.Context, h Host) error {
	batch := make([]tasks.Task, 0, publishBatch)
	id := uint32(0)
	for t, err := range w.m.initialTasks(w.flags) {
		if err != nil {
			return err
		}
		id++
		t.TaskID = id
		if batch = append(batch, t); len(batch) < publishBatch {
			continue
		}
		if err := h.Publish(ctx, batch); err != nil {
			return err
		}
		batch = batch[:0]
	}
	if len(batch) == 0 {
		return nil
	}
	return h.Publish(ctx, batch)
}

// collect waits until every task has ended, or publishing has failed.
func (w *generic) collect(ctx context.Context, h Host, published <-chan error) error {
	for w.done.Load() < w.total.Load() || published != nil {
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return w.stoppedEarly()
			}
			w.done.Add(int64(len(cs)))
		case err := <-published:
			if err != nil {
				return err
			}
			published = nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *generic) stoppedEarly() error {
	return Failure(ErrProtocol, w.m.Name, fmt.Sprintf("the kernel stopped after %d of %d tasks", w.done.Load(), w.total.Load()), nil, "run it again with --record and look at the last snapshot")
}

// ended counts what the run has ended, spawned tasks included.
func (w *generic) ended() Tally {
	if w.host == nil {
		return Tally{}
	}
	return w.host.Ended()
}

// Progress implements Workload: what [progress] of the manifest declares, else the initial tasks that have ended.
func (w *generic) Progress() (done, total int64, unit string) {
	p := w.m.Progress
	if p == nil {
		return w.done.Load(), w.total.Load(), megakernel.UnitTasks
	}
	if words := w.declared.words.Load(); words != nil && int(p.Word) < len(*words) {
		done = int64(words.Load(int(p.Word)))
	}
	if total = w.declared.total.Load(); total > 0 {
		done = min(done, total)
	}
	return done, total, p.Unit
}

// GenericResult is the "result" object of a workload without a driver.
type GenericResult struct {
	Tasks   uint64            `json:"tasks"`   // that ended, spawned ones included
	Faulted uint64            `json:"faulted"` // of them
	SHA256  map[string]string `json:"sha256"`  // of the host-visible buffers, words little-endian
}

// Result implements Workload.
func (w *generic) Result() any {
	ended := w.ended()
	r := GenericResult{Tasks: ended.Done + ended.Faulted, Faulted: ended.Faulted, SHA256: map[string]string{}}
	for name, words := range w.buffers() {
		r.SHA256[name] = Digest(words)
	}
	return r
}

// ResultDigest is the digest of the only buffer, or of the list of names and digests of several.
func (r GenericResult) ResultDigest() string {
	list := ""
	for _, name := range slices.Sorted(maps.Keys(r.SHA256)) {
		if len(r.SHA256) == 1 {
			return r.SHA256[name]
		}
		list += r.SHA256[name] + "  " + name + "\n"
	}
	if list == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(list))
	return hex.EncodeToString(sum[:])
}

// Digest is the SHA-256 of words, little-endian, in hexadecimal.
func Digest(words []uint32) string {
	sum := sha256.Sum256(engine.AppendWords(nil, words))
	return hex.EncodeToString(sum[:])
}
