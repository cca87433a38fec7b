package policy

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/engine"
)

func rules(reasons []Reason) (out []string) {
	for _, r := range reasons {
		out = append(out, r.Rule+" "+r.To)
	}
	return out
}

func TestWhatIf(t *testing.T) {
	p := StandardPolicy()
	r := Request{QueueLen: 8192, Groups: 128, Limits: MinimumLimits, Workload: Workload{GraphNodes: 100_000}}
	other := r
	other.QueueLen, other.RequeueCount = 4000, 3
	w, first, second := p.WhatIf(&r, &other, NoTopology)
	if first != nil || second != nil {
		t.Fatal(first, second)
	}
	want := WhatIf{
		Inputs: []Difference{{"queue_len", "8192", "4000"}, {"requeue_count", "0", "3"}},
		Effects: []Difference{
			{"geometry.workgroup_size_x", "128", "102"}, {"geometry.slot_count", "8192", "4080"}, {"geometry.dispatch_grid", "[64 1 1]", "[40 1 1]"},
			{"worker_groups", "128", "102"}, {"hit_capacity", "16384", "8000"},
			{"pressure", "Balanced", "Saturated"}, {"execution_mode", "Jit", "Interpreter"}, {"topology", "HybridFrontier", "SparseFrontier"},
			{"age_priority_work", "false", "true"}, {"estimated_peak_device_bytes", "262144", "128000"},
		},
	}
	ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Gone" || p.String() == "New" }, cmp.Ignore())
	if diff := cmp.Diff(want, w, ignore); diff != "" {
		t.Error(diff)
	}
	gone := []string{"density.derived 819", "topology.hybrid HybridFrontier", "groups.requested 128", "width.groups 128", "grid.cover 64", "pressure.balanced Balanced"}
	if diff := cmp.Diff(gone, rules(w.Gone)[:len(gone)]); diff != "" {
		t.Error(diff)
	}
	if len(w.New) == 0 {
		t.Error("no rule is new")
	}
}

func TestWhatIfItDidNotFit(t *testing.T) {
	p := StandardPolicy()
	r := Request{QueueLen: 8192, Limits: MinimumLimits}
	other := r
	other.DeviceMemoryBudgetBytes = 1000
	w, first, second := p.WhatIf(&r, &other, NoTopology)
	if first != nil || !errors.Is(second, engine.ErrDeviceOutOfMemory) || w.Effects != nil || len(w.Inputs) != 1 {
		t.Errorf("%+v, %v, %v", w, first, second)
	}
}

// TestWhatIfNothingChanged: equal requests differ in nothing, and differences are symmetric.
func TestWhatIfNothingChanged(t *testing.T) {
	p := StandardPolicy()
	draw := func(rt *rapid.T) Request {
		return Request{
			QueueLen: rapid.Uint32Range(0, 1e6).Draw(rt, "queue"), Groups: rapid.Uint32Range(0, 300).Draw(rt, "groups"), Limits: MinimumLimits,
			Workload: Workload{GraphNodes: rapid.Uint32().Draw(rt, "nodes"), MemoryPressureBps: rapid.Uint16().Draw(rt, "memory")},
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b := draw(rt), draw(rt)
		if w, _, _ := p.WhatIf(&a, &a, NoTopology); len(w.Inputs)+len(w.Effects)+len(w.Gone)+len(w.New) > 0 {
			rt.Fatalf("%+v", w)
		}
		forth, _, _ := p.WhatIf(&a, &b, NoTopology)
		back, _, _ := p.WhatIf(&b, &a, NoTopology)
		if len(forth.Effects) != len(back.Effects) || cmp.Diff(forth.Gone, back.New) != "" {
			rt.Fatalf("%+v\n%+v", forth, back)
		}
	})
}
