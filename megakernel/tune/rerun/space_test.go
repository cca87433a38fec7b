package rerun

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// planted is a model of a target that is fastest with one workgroup size.
type planted struct {
	best    int64
	compile map[int64]bool // sizes that it was asked for
	noise   *rand.Rand
	now     time.Time
}

// Measure implements tune.Target.
func (p *planted) Measure(_ context.Context, c tune.Candidate, atLeast time.Duration) (tune.Sample, error) {
	size, _ := c.Value(megakernel.WorkgroupSetting)
	lanes, _ := c.Value(megakernel.LanesSetting)
	workers, _ := c.Value(megakernel.WorkersSetting)
	p.compile[size] = true
	rate := float64(min(workers, 2)) * float64(lanes) / float64(size)
	if size == p.best {
		rate *= 2
	}
	rate *= 1 + 0.02*p.noise.Float64()
	p.now = p.now.Add(atLeast)
	return tune.Sample{Work: rate * 1000 * atLeast.Seconds(), Time: atLeast, Unit: "tasks"}, nil
}

// TestTuneFindsAnotherWorkgroupSize: tune searched only the lanes of the workgroup that the run was started with.
func TestTuneFindsAnotherWorkgroupSize(t *testing.T) {
	settings := megakernel.Settings{Workers: 2, Lanes: 8, Workgroup: 8, Slice: 250 * time.Millisecond}
	for _, best := range []int64{4, 8, 16, 32} {
		s := &Start{Settings: settings, WorkgroupSize: 8, MaxLanes: 48}
		list, first := Space(s, Limits{Workers: 8, Lanes: 8, MaxLanes: 48, SliceMaxMs: 250})
		if first < 0 {
			t.Fatal("the default is not among the candidates")
		}
		p := &planted{best: best, compile: map[int64]bool{}, noise: rand.New(rand.NewPCG(1, 2))}
		r, err := tune.Search(t.Context(), p, tune.Config{Candidates: list, Default: first, Budget: time.Minute, Window: 20 * time.Millisecond, Seed: 1, Now: func() time.Time { return p.now }})
		if err != nil {
			t.Fatal(err)
		}
		size, _ := r.Best.Value(megakernel.WorkgroupSetting)
		if size != best {
			t.Errorf("fastest with %d: found %v", best, r.Best)
		}
		if len(p.compile) != 4 {
			t.Errorf("sizes %v were searched", p.compile)
		}
	}
}

func TestWorkgroupsToSearch(t *testing.T) {
	for _, tt := range []struct{ n, most, want int }{{8, 8, 0}, {8, 0, 0}, {8, 12, 1}, {8, 16, 2}, {8, 1024, 3}, {1, 4, 2}, {512, 1024, 2}} {
		if got := workgroups(tt.n, tt.most); len(got) != tt.want {
			t.Errorf("%d of at most %d: %v", tt.n, tt.most, got)
		}
	}
}
