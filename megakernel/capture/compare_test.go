package capture_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// TestTheDeviceAgreesWithTheInterpreter: activation after activation, while another task writes words that the first one does not.
func TestTheDeviceAgreesWithTheInterpreter(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		ctx, x := start(t, b)
		x.do(t, ctx, megakernel.Command{Op: megakernel.OpPauseAll})
		if err := x.Publish(ctx, []tasks.Task{{Opcode: opStir, TaskID: 7, Param: 3}, {Opcode: opStir, TaskID: 8, Param: 5}}); err != nil {
			t.Fatal(err)
		}
		x.imported(t, ctx, 7)
		x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
		for i := range 3 {
			c, got, err := capture.CompareOn(ctx, x, capture.Options{Name: "stir", Task: 7})
			if err != nil {
				t.Fatal(err)
			}
			// The continuation, the yield count and the word of the buffer.
			if len(got.Differences) > 0 || got.NoSlot || got.Equal < 3 || c.Task != 7 {
				t.Errorf("activation %d of task %d: %+v", i, c.Task, got)
			}
		}
		if n := len(x.Breakpoints()); n != 0 {
			t.Errorf("%d breakpoints are left", n)
		}
		if _, _, err := capture.CompareOn(ctx, x, capture.Options{Name: "stir", Task: 99}); !errors.Is(err, capture.ErrTask) {
			t.Errorf("a task that is not there: %v", err)
		}
	})
}

// TestADifferenceIsNamedWithItsLine: words that the device left with other values, planted one by one.
func TestADifferenceIsNamedWithItsLine(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	ctx, x := start(t, b)
	c := begin(t, ctx, x)
	ended, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended.Finish()
	ring := ended.Contents(megakernel.BindRing)[c.Slot*tasks.SlotWords:][:tasks.SlotWords]
	exact := func() capture.After {
		return capture.After{Slot: slices.Clone(ring), Buffers: map[uint32][]uint32{8: slices.Clone(ended.Contents(8))}}
	}
	for name, tt := range map[string]struct {
		plant func(a *capture.After)
		want  capture.Difference
		cause string
	}{
		"equal":           {func(*capture.After) {}, capture.Difference{}, ""},
		"another word":    {func(a *capture.After) { a.Buffers[8][4] = 9 }, capture.Difference{}, ""},
		"a buffer":        {func(a *capture.After) { a.Buffers[8][3]++ }, capture.Difference{Name: "bowl[3]", Interpreter: 10, Device: 11, Line: "stir.glsl:8"}, "the driver"},
		"a word of it":    {func(a *capture.After) { a.Slot[tasks.WordContinuationData] ^= 1 << 31 }, capture.Difference{Name: "task.continuation_data", Interpreter: 10, Device: 10 ^ 1<<31}, "the driver"},
		"another task":    {func(a *capture.After) { a.Buffers[8][3], a.Others = 0, 5 }, capture.Difference{Name: "bowl[3]", Interpreter: 10, Line: "stir.glsl:8"}, "5 activations of other tasks"},
		"the slot is new": {func(a *capture.After) { a.Slot = nil }, capture.Difference{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := c.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			a.Finish()
			after := exact()
			tt.plant(&after)
			got := a.Compare(after)
			var want []capture.Difference
			if tt.want.Name != "" {
				want = append(want, tt.want)
			}
			if !slices.Equal(got.Differences, want) || !strings.Contains(got.Cause, tt.cause) || (got.Cause == "") != (tt.cause == "") {
				t.Errorf("%+v", got)
			}
			if foreign := name == "another word"; (got.Foreign == 1) != foreign {
				t.Errorf("%d words of others", got.Foreign)
			}
			if got.NoSlot != (after.Slot == nil) {
				t.Errorf("%+v", got)
			}
		})
	}
	x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
}
