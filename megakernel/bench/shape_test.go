package bench

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/megakernel"
)

// A measurement whose tasks do not fit would wait for room for ever.
func TestTasksOfAShapeFitIntoItsRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape{rapid.IntRange(1, megakernel.MaxWorkers).Draw(t, "workers"), rapid.IntRange(1, 1024).Draw(t, "lanes")}
		n, slots, ring := s.tasks(), s.slots(), s.completions()
		if slots > mostSlots || n < 1 || n > megakernel.NewSchedLayout(slots).ImportSlots() {
			t.Errorf("%d tasks for %d slots", n, slots)
		}
		if ring < n || ring&(ring-1) != 0 {
			t.Errorf("%d tasks for a ring of %d completions", n, ring)
		}
	})
}

func TestShapesAndStepsThatAreTried(t *testing.T) {
	for _, tt := range []struct {
		own    shape
		most   engine.Optional[uint32] // invocations
		shapes []shape
		steps  []int
	}{
		{shape{1, 8}, engine.Known(uint32(128)), []shape{{1, 8}, {1, 32}}, []int{1}},
		{shape{5, 8}, engine.Optional[uint32]{}, []shape{{5, 8}}, []int{1, 4, 5}},
		{shape{64, 128}, engine.Known(uint32(1024)), []shape{{64, 128}, {16, 128}, {4, 128}, {64, 256}, {16, 256}, {4, 256}}, []int{1, 4, 16, 64}},
		{shape{2048, 256}, engine.Known(uint32(256)), []shape{{2048, 256}, {512, 256}, {128, 256}}, []int{1, 4, 16, 64, 256, 384}},
	} {
		r := &suite{shape: tt.own, backend: profiled{profile: engine.DeviceProfile{MaxInvocations: tt.most}}}
		if diff := cmp.Diff(tt.shapes, r.shapes(), cmp.AllowUnexported(shape{})); diff != "" {
			t.Errorf("shapes of %v (-want +got):\n%s", tt.own, diff)
		}
		if got := r.steps(); !slices.Equal(got, tt.steps) {
			t.Errorf("steps of %v: %v, want %v", tt.own, got, tt.steps)
		}
	}
}

// profiled is a backend of which only the profile is known.
type profiled struct {
	engine.Backend
	profile engine.DeviceProfile
}

func (b profiled) Profile() engine.DeviceProfile { return b.profile }
