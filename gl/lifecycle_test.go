//go:build cgo && egl

package gl

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/stage"
	"vyretop/gl/egl"
)

// TestContextDestroyedUnderneath takes the context away from the thread, which is a real loss: everything
// says so, and Recover makes the backend work again.
func TestContextDestroyedUnderneath(t *testing.T) {
	b := testBackend(t)
	pl, err := b.Compile(within(t), squaresProgram())
	check(t, err)
	buf, err := b.Allocate(within(t), "lost", 64, engine.DeviceLocal)
	check(t, err)
	check(t, b.do(t.Context(), "kill", func(s *glState) error { return s.surface.(*egl.Context).Kill() }))
	p, err := pl.Start(t.Context(), bindings(buf), row(1))
	check(t, err)
	_, waited := p.Wait(within(t))
	_, allocated := b.Allocate(t.Context(), "late", 1, engine.HostVisible)
	for name, err := range map[string]error{"dispatch": waited, "allocate": allocated, "lost": b.Lost(),
		"upload": buf.Upload(t.Context(), 0, make([]uint32, 64))} {
		if !errors.Is(err, engine.ErrDeviceLost) {
			t.Errorf("%s: got %v, want device lost", name, err)
		}
	}
	r, err := b.Recover(within(t))
	if err != nil || r.Buffers != 1 || r.Pipelines != 1 {
		t.Fatalf("recovery %+v, %v", r, err)
	}
	again := compile(t, b, squaresProgram())
	fresh := allocate(t, b, 64, engine.DeviceLocal)
	wait(t, start(t, again, 1, fresh))
	if got := read(t, fresh)[5]; got != 25 {
		t.Errorf("word 5 is %d, want 25", got)
	}
}

// TestStagingSurvivesALoss: the buffer for copies is made again.
func TestStagingSurvivesALoss(t *testing.T) {
	b := testBackend(t)
	first, err := b.Allocate(within(t), "first", 4, engine.DeviceLocal)
	check(t, err)
	check(t, first.Upload(within(t), 0, []uint32{1, 2, 3, 4}))
	b.SimulateLoss()
	check(t, b.Flush(within(t)))
	for b.Lost() == nil { // the thread gets to it
		_ = b.do(t.Context(), "look", func(*glState) error { return nil })
	}
	r, err := b.Recover(within(t))
	if err != nil || r.Buffers != 1 {
		t.Fatalf("recovery %+v, %v: the report must not mention the staging buffer", r, err)
	}
	second := allocate(t, b, 4, engine.DeviceLocal)
	check(t, second.Upload(within(t), 0, []uint32{5, 6, 7, 8}))
	if got := read(t, second)[3]; got != 8 {
		t.Errorf("word 3 is %d", got)
	}
}

// TestLossDuringACompilation tells those who wait, and the backend can be recovered.
func TestLossDuringACompilation(t *testing.T) {
	for name, lose := range map[string]func(testing.TB, *Backend){
		"simulated": func(_ testing.TB, b *Backend) { b.SimulateLoss() },
		"context gone": func(t testing.TB, b *Backend) {
			check(t, b.do(t.Context(), "kill", func(s *glState) error { return s.surface.(*egl.Context).Kill() }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, c := slowBackend(t)
			out := request(t.Context(), b, triples(3))
			awaitWaiters(t, b, 1)
			lose(t, b)
			if err := answer(t, out).err; !errors.Is(err, engine.ErrDeviceLost) || !strings.Contains(err.Error(), "triples") {
				t.Errorf("got %v, want that the device is lost", err)
			}
			_, err := b.Recover(within(t))
			check(t, err)
			c.finished.Store(true)
			expectTriples(t, b)
		})
	}
}

// expectTriples compiles and runs a small kernel.
func expectTriples(t testing.TB, b *Backend) {
	t.Helper()
	buf := allocate(t, b, 2, engine.HostVisible)
	wait(t, start(t, compile(t, b, triples(3)), 2, buf))
	if got := buf.Words().Load(1); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}

// TestPartsLinkedBeforeALoss are of no use after it, although the numbers of program objects are given out again.
func TestPartsLinkedBeforeALoss(t *testing.T) {
	b := testBackend(t)
	old, err := b.program(within(t), "old", triples(3))
	check(t, err)
	b.SimulateLoss()
	await(t, func() bool { return b.Lost() != nil })
	_, err = b.Recover(within(t))
	check(t, err)
	compile(t, b, triples(5))
	x := &executable{parts: []*linkedProgram{old}, staged: &stage.Staged{Parts: []*engine.Program{triples(3)}}}
	err = b.do(within(t), "adopt", func(s *glState) error { return x.adopt(b, s, "adopt") })
	if !errors.Is(err, engine.ErrPoisoned) {
		t.Errorf("got %v", err)
	}
	check(t, b.do(within(t), "release", func(s *glState) error { x.release(s); return nil }))
	expectUsers(t, b, 1)
}
