package live

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// breakable is a fakeSession with breakpoints.
type breakable struct {
	fakeSession
	list []breakpoint.Status // guarded by mu
}

func (f *breakable) Arm(_ context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := breakpoint.Status{ID: len(f.list) + 1, Breakpoint: b, Enabled: true}
	f.list = append(slices.Clone(f.list), s)
	return s, f.err
}

func (f *breakable) Disarm(_ context.Context, id int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = slices.DeleteFunc(slices.Clone(f.list), func(s breakpoint.Status) bool { return id == 0 || s.ID == id })
	return f.err
}

func (f *breakable) Enable(_ context.Context, id int, on bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = slices.Clone(f.list)
	for i := range f.list {
		if f.list[i].ID == id {
			f.list[i].Enabled = on
		}
	}
	return f.err
}

func (f *breakable) Breakpoints() []breakpoint.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}

func (f *breakable) hit(n uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = slices.Clone(f.list)
	b := &f.list[0]
	b.Hits, b.Task = b.Hits+n, megakernel.SpawnedIDBase+7
	b.Workers = []breakpoint.WorkerHits{{Worker: 0, Hits: 1}, {Worker: 3, Hits: b.Hits - 1}}
}

// TestHitsBecomeEvents: the first one at once, then at most one a second, however many there are; what another
// breakpoint of the same number hits is its own.
func TestHitsBecomeEvents(t *testing.T) {
	f := &breakable{}
	f.phase = megakernel.PhaseResident
	launched, passed := time.Unix(100, 0), atomic.Int64{}
	ticks := make(chan time.Time)
	h := New(f, megakernel.Target{Started: launched}, Options{Ticks: ticks, Now: func() time.Time { return launched.Add(time.Duration(passed.Load())) }})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); h.Run(ctx) }()
	<-h.Updates()
	defer func() { cancel(); <-ended }()

	op7 := breakpoint.Breakpoint{Condition: "op=7"}
	if s, err := h.Arm(ctx, op7); err != nil || s.ID != 1 || len(h.Breakpoints()) != 1 {
		t.Fatalf("%+v, %v, %v", s, err, h.Breakpoints())
	}
	for _, hits := range []uint64{1, 10, 10, 0, 4} {
		if hits > 0 {
			f.hit(hits)
		}
		passed.Add(int64(400 * time.Millisecond))
		ticks <- time.Time{}
		<-h.Updates()
	}
	if err := h.Enable(ctx, 1, false); err != nil || h.Breakpoints()[0].Enabled {
		t.Errorf("%v, %+v", err, h.Breakpoints())
	}
	if err := h.Disarm(ctx, 1); err != nil || len(h.Breakpoints()) != 0 {
		t.Errorf("%v, %+v", err, h.Breakpoints())
	}
	f.err = errors.New("device lost")
	if _, err := h.Arm(ctx, op7); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	f.hit(2)
	ticks <- time.Time{}
	<-h.Updates()
	want := []string{
		"0s phase: the target is resident",
		"400ms hit: breakpoint 1 was hit once, 1 in all, by workers 0, 3, lately by task +7: op=7 stop",
		"1.6s hit: breakpoint 1 was hit 20 times, 21 in all, by workers 0, 3, lately by task +7: op=7 stop",
		"2s error: break at op=7 stop: device lost",
		"2s hit: breakpoint 1 was hit 2 times, 2 in all, by workers 0, 3, lately by task +7: op=7 stop",
	}
	if diff := cmp.Diff(want, texts(h.Events(0, 10))); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestSessionsWithoutBreakpoints(t *testing.T) {
	h, _, stop := start(t, &fakeSession{}, Options{})
	defer stop()
	if _, err := h.Arm(t.Context(), breakpoint.Breakpoint{}); !errors.Is(err, errNoBreakpoints) {
		t.Errorf("error is %v", err)
	}
	if err := h.Disarm(t.Context(), 0); !errors.Is(err, errNoBreakpoints) || h.Breakpoints() != nil {
		t.Errorf("error is %v, there are %v", err, h.Breakpoints())
	}
}
