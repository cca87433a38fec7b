package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/run"
	"vyretop/tasks"
)

const (
	// tolerated is the share of records that a reader that keeps up may lose.
	tolerated = 0.001
	// paces is into how many steps the rate of a writer is divided, and paceTrials how many of them are tried.
	paces      = 64
	paceTrials = 7
	// mostSlower is how many times in a round a pace that turns out to be too fast is lowered.
	mostSlower = 6
	// settled is how long a hub has read before its records count.
	settled = 100 * time.Millisecond
)

// logged measures what a run's reader of the debug log takes, or what its recording takes. The pace of the writer
// is searched in the first round, and lowered for a round that loses too much.
func logged(recorded bool) func(*suite, context.Context, time.Duration, *tally) error {
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		if t.picked == (shape{}) {
			share /= 2
			pace, err := r.pickPace(ctx, share/paceTrials, recorded)
			if err != nil {
				return err
			}
			t.picked, t.pace = shape{1, r.shape.lanes}, pace
		}
		l, err := fastest(t.pace, func(pace int) (logRate, error) { return r.readPaced(ctx, share, t, pace, recorded) })
		l.into(t)
		return err
	}
}

// fastest reads at a pace, and as long as too much is lost at a slower one. The next round begins with the pace that was picked
// again: a short wait of the reader for a processor says nothing about the rest of a run.
func fastest(pace int, read func(pace int) (logRate, error)) (logRate, error) {
	l, err := read(pace)
	for slower := 0; err == nil && !l.keptUp() && slower < mostSlower && pace > 1; slower++ {
		pace = pace * 3 / 4
		l, err = read(pace)
	}
	return l, err
}

// pickPace finds the fastest pace of a writer at which the reader loses few records.
func (r *suite) pickPace(ctx context.Context, each time.Duration, recorded bool) (pace int, err error) {
	few, many := 0, paces+1
	for next := paces; next > few; next = (few + many) / 2 {
		l, err := r.readPaced(ctx, each, &tally{}, next, recorded)
		if err != nil {
			return 0, err
		}
		if l.keptUp() {
			few = next
		} else {
			many = next
		}
	}
	return max(1, few), nil
}

// logRate is what became of the records of a time.
type logRate struct {
	part
	lost       uint64
	kinds      [megakernel.NumEvents]float64 // of lost, by kind
	unrecorded uint64                        // of those that the reader took
	bytes      int64                         // of the recording
}

func (l *logRate) keptUp() bool {
	return float64(l.lost+l.unrecorded) <= tolerated*float64(l.n+l.lost+l.unrecorded)
}

func (l *logRate) into(t *tally) {
	t.parts = append(t.parts, l.part)
	t.count("lost", float64(l.lost+l.unrecorded))
	if l.bytes > 0 {
		t.count(lostOf+"by_recording", float64(l.unrecorded))
	}
	for k, n := range l.kinds {
		if n > 0 {
			t.count(lostOf+megakernel.Event(k).String(), n)
		}
	}
}

// readPaced has a hub read the log for a time, while one worker writes to it at a pace.
func (r *suite) readPaced(ctx context.Context, share time.Duration, t *tally, pace int, recorded bool) (l logRate, err error) {
	l.shape = shape{1, r.shape.lanes}
	tr := trial{shape: l.shape, most: r.shape.workers, log: megakernel.LogAll, events: true, opcode: opLog}
	tr.edit = func(_ int, t *tasks.Task) { t.Param = uint32(paces - pace) }
	tr.run = func(ctx context.Context, s *resident.Session) (err error) {
		o := live.Options{}
		var file *recording
		if recorded {
			if file, err = record(s); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, file.discard()) }()
			o.Recorder = file.Writer
		}
		h, err := watchLog(s, o)
		if err != nil {
			return err
		}
		if err := h.measure(ctx, share, &l); err != nil || !recorded {
			h.stop()
			return err
		}
		return file.measure(h, &l)
	}
	err = r.session(ctx, share, t, tr)
	return l, err
}

// hubbed is a session with the hub that a run gives it.
type hubbed struct {
	*run.Watched
	stop  func()
	began time.Time
}

// watchLog starts a hub. What was written to the log before does not count.
func watchLog(s *resident.Session, o live.Options) (*hubbed, error) {
	w, err := run.Watch(s, func() (done, total int64, unit string) { return 0, 0, "" })
	if err != nil {
		return nil, err
	}
	w.TakeLog(0)
	hub := live.New(w, s.Target(), o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Run(ctx)
	}()
	return &hubbed{Watched: w, stop: func() { cancel(); <-ended }, began: time.Now()}, nil
}

// measure counts what is taken and lost in a time.
func (h *hubbed) measure(ctx context.Context, share time.Duration, l *logRate) error {
	if err := sleep(ctx, min(settled, share/4)); err != nil {
		return err
	}
	lost, kinds := h.Lost(), h.LostKinds()
	began := time.Now()
	before := h.Taken()
	for lasts := lasting(ctx, share); lasts.on(h.Taken() - before); {
		if err := sleep(ctx, time.Millisecond); err != nil {
			return err
		}
		if err := h.Err(); err != nil {
			return err
		}
	}
	l.n, l.took = h.Taken()-before, time.Since(began)
	l.lost = h.Lost() - lost
	for k, n := range h.LostKinds() {
		l.kinds[k] = math.Max(float64(n)-float64(kinds[k]), 0)
	}
	return nil
}

// recording is one that is thrown away.
type recording struct {
	*fixtures.Writer
	folder string
}

func record(s *resident.Session) (*recording, error) {
	folder, err := os.MkdirTemp("", "vyretop-bench-")
	if err != nil {
		return nil, fmt.Errorf("folder for a recording: %w. Fix: set TMPDIR to a folder that can be written", err)
	}
	f := &recording{folder: folder}
	if f.Writer, err = fixtures.Create(f.path(), fixtures.Header{Target: s.Target()}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return f, nil
}

func (f *recording) path() string { return filepath.Join(f.folder, "bench.vyr") }

// measure ends a recording and counts all that is in it, in the time until it was written.
func (f *recording) measure(h *hubbed, l *logRate) error {
	h.stop()
	if err := f.Close(); err != nil {
		return err
	}
	info, err := os.Stat(f.path())
	if err != nil {
		return err
	}
	l.unrecorded, l.bytes = uint64(f.Lost().LogRecords), info.Size()
	l.n, l.lost, l.took = h.Taken()-l.unrecorded, h.Lost(), time.Since(h.began)
	return nil
}

// discard removes the file. Closing twice is an error that says nothing new.
func (f *recording) discard() error {
	_ = f.Close()
	return os.RemoveAll(f.folder)
}

// How logCost works: pairs of windows in a round, with a log and without.
const logPairs = 16

// logCost compares the rate of continuations with the log sampled one in every, 0 for as it is by default, and with it
// off, in windows that take turns. A hub reads in all of them.
func logCost(every int64) func(*suite, context.Context, time.Duration, *tally) error {
	on := []megakernel.Setting{{ID: megakernel.LogSetting, Value: int64(megakernel.LogAll)}, {ID: megakernel.LogEverySetting, Value: every}}
	off := []megakernel.Setting{{ID: megakernel.LogSetting}}
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		window := share / (2 * logPairs)
		return r.session(ctx, share, t, trial{shape: r.shape, events: true, opcode: opYield, run: func(ctx context.Context, s *resident.Session) error {
			h, err := watchLog(s, live.Options{})
			if err != nil {
				return err
			}
			defer h.stop()
			for i := range logPairs {
				cost, err := settingPair(ctx, s, window, [2][]megakernel.Setting{off, on}, i%2)
				if err != nil {
					return err
				}
				t.costs = append(t.costs, cost)
			}
			return nil
		}})
	}
}

// settingPair measures a window with each of two lists of settings, that of number first before the other, and returns
// what the second list costs in percent.
func settingPair(ctx context.Context, s *resident.Session, window time.Duration, lists [2][]megakernel.Setting, first int) (float64, error) {
	var speed [2]float64
	for _, i := range [2]int{first, 1 - first} {
		if _, err := s.Apply(ctx, lists[i]...); err != nil {
			return 0, err
		}
		n, took, err := countFor(ctx, s, window)
		if err != nil {
			return 0, err
		}
		speed[i] = float64(n) / took.Seconds()
	}
	if speed[0] == 0 {
		return 0, nil
	}
	return 100 * (1 - speed[1]/speed[0]), nil
}
