package resident_test

import (
	"errors"
	"sync"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
)

// TestBreakpointsThatComeTogetherShareAVariant: each of them had a kernel variant compiled, one after the other. One that cannot be
// compiled is told alone.
func TestBreakpointsThatComeTogetherShareAVariant(t *testing.T) {
	places := []breakpoint.Place{{Line: 7}, {Line: 8, If: "i == 1u"}, {Watch: "control[150]"}, {Event: "fault"}}
	for name, tc := range map[string]struct {
		list    []breakpoint.Place
		most    int32 // variants that are compiled
		refused int
	}{
		"all can be": {places, 2, 0},                                                                                              // of the first one, and of the others
		"one cannot": {append([]breakpoint.Place{{Line: 8, If: "i == 2u"}, {Line: 8, If: "nothing == 2u"}}, places[2:]...), 3, 1}, // until it is told
	} {
		t.Run(name, func(t *testing.T) {
			b := &gatedCompiler{Backend: backendtest.Reference(t, reference.Options{})}
			s := start(t, b, assemble(t, b, stopped, 8, "work", "other"), resident.Options{Workers: 1})
			before := b.asked.Load()
			b.gate.Lock()
			open := sync.OnceFunc(b.gate.Unlock)
			t.Cleanup(open)
			errs := make(chan error, len(tc.list))
			set := func(at breakpoint.Place) {
				_, err := s.Arm(deadline(t), breakpoint.Breakpoint{Place: &at, Action: breakpoint.Count})
				errs <- err
			}
			await := func(what string, ok func() bool) {
				t.Helper()
				for ctx := deadline(t); !ok(); backendtest.Breathe() {
					if ctx.Err() != nil {
						t.Fatal(what)
					}
				}
			}
			go set(tc.list[0])
			await("no variant is compiled for the first breakpoint", func() bool { return b.asked.Load() > before })
			for _, at := range tc.list[1:] {
				go set(at)
			}
			await("the others do not wait", func() bool { return s.Coming()+len(errs) == len(tc.list)-1 })
			open()
			refused := 0
			for range tc.list {
				if err := <-errs; errors.Is(err, breakpoint.ErrCondition) {
					refused++
				} else if err != nil {
					t.Error(err)
				}
			}
			if n := b.asked.Load() - before; n > tc.most || refused != tc.refused || s.Coming() != 0 || len(s.Breakpoints()) != len(tc.list)-refused {
				t.Errorf("%d compiled, %d refused, %d to come, set %+v", n, refused, s.Coming(), s.Breakpoints())
			}
		})
	}
}

// TestExpectedBreakpointsShareAVariant: each --break of a run had a kernel variant compiled.
func TestExpectedBreakpointsShareAVariant(t *testing.T) {
	b := &gatedCompiler{Backend: backendtest.Reference(t, reference.Options{})}
	s := start(t, b, assemble(t, b, stopped, 8, "work", "other"), resident.Options{Workers: 1})
	var list []breakpoint.Breakpoint
	for _, at := range []breakpoint.Place{{Line: 7}, {Line: 8, If: "i == 1u"}, {Line: 400}, {Event: "fault"}} {
		list = append(list, breakpoint.Breakpoint{Place: &at, Action: breakpoint.Count})
	}
	before := b.asked.Load()
	forget := s.Expect(list)
	for i, x := range list {
		st, err := s.Arm(deadline(t), x)
		if wrong := i == 2; wrong != errors.Is(err, breakpoint.ErrCondition) || !wrong && err != nil {
			t.Errorf("%v: %+v, %v", x.Place, st, err)
		}
	}
	forget()
	if n := b.asked.Load() - before; n != 1 || s.Coming() != 0 {
		t.Errorf("%d variants were compiled, %d are to come", n, s.Coming())
	}
}
