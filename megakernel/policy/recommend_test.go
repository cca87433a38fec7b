package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"vyretop/megakernel/policy"
)

// TestRecommend runs the scripts of testdata/recommend: "recommend" with members of the request as
// arguments, "previous=NAME" for hysteresis, and "policy" lines as input. It shows what is recommended,
// and every rule that fired.
func TestRecommend(t *testing.T) {
	datadriven.RunTest(t, "testdata/recommend", func(t *testing.T, d *datadriven.TestData) string {
		rules, err := policy.ParsePolicy([]byte(d.Input))
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		request, previous := readRequest(t, d)
		rec, reasons, err := rules.Explain(&request, previous)
		var b strings.Builder
		for _, r := range reasons {
			fmt.Fprintf(&b, "%s: %s\n", r.Rule, r)
		}
		if err != nil {
			return fmt.Sprintf("%serror: %v\n", b.String(), err)
		}
		return fmt.Sprintf("%s%v\n", b.String(), rec)
	})
}

// readRequest takes the members of a request from the arguments; the limits are those of a common GPU
// where they are not given.
func readRequest(t *testing.T, d *datadriven.TestData) (policy.Request, policy.Topology) {
	text := `{"max_workgroup_size_x":256,"max_compute_workgroups_per_dimension":65535,"max_compute_invocations_per_workgroup":1024`
	var previous policy.Topology
	for _, a := range d.CmdArgs {
		if a.Key == "previous" {
			if err := previous.UnmarshalText([]byte(a.Vals[0])); err != nil {
				d.Fatalf(t, "%v", err)
			}
			continue
		}
		text += fmt.Sprintf(",%q:%s", a.Key, a.Vals[0])
	}
	var r policy.Request
	dec := json.NewDecoder(strings.NewReader(text + "}"))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return r, previous
}

// around draws numbers close to those at which rules change, and any others.
func around[T uint16 | uint32 | uint64](t *rapid.T, name string, marks ...T) T {
	any := rapid.Custom(func(t *rapid.T) T { return T(rapid.Uint64().Draw(t, "any")) })
	near := rapid.Custom(func(t *rapid.T) T {
		return rapid.SampledFrom(marks).Draw(t, "mark") + T(rapid.IntRange(-2, 2).Draw(t, "offset"))
	})
	small := rapid.Custom(func(t *rapid.T) T { return T(rapid.IntRange(0, 2000).Draw(t, "small")) })
	return rapid.OneOf(near, small, any).Draw(t, name)
}

func drawPolicy(t *rapid.T) policy.Policy {
	p := policy.StandardPolicy()
	if rapid.Bool().Draw(t, "standard") {
		return p
	}
	for i, f := range []*uint32{&p.MinHitCapacity, &p.HitCapacityMultiplier, &p.SaturatedWaves, &p.HotOpcodes, &p.HotWindows, &p.JitQueueLen, &p.PriorityAge, &p.FusionEdges, &p.ScratchBytesPerHit} {
		*f = around(t, fmt.Sprint("policy", i), *f)
	}
	for i, f := range []*uint16{&p.SparseBps, &p.DenseBps, &p.MemoryBps} {
		*f = around(t, fmt.Sprint("rate", i), *f, 10_000)
	}
	return p
}

func drawRequest(t *rapid.T, p *policy.Policy) policy.Request {
	r := policy.Request{
		QueueLen: around(t, "queue", p.JitQueueLen, 256, 1024), Groups: around[uint32](t, "groups", 1, 32, 64),
		Limits: policy.Limits{
			MaxWidth: around[uint32](t, "width", 1, 256), MaxGroups: around[uint32](t, "max groups", 1, 65535),
			MaxInvocations: around[uint32](t, "invocations", 1, 4096),
		},
		HitCapacity: around[uint32](t, "capacity", 0), HitsPerItem: around[uint32](t, "hits", 0, 1),
		RequeueCount: around[uint64](t, "requeues", 0), MaxPriorityAge: around(t, "age", p.PriorityAge),
	}
	r.HotOpcodes, r.HotWindows = around(t, "opcodes", p.HotOpcodes), around(t, "windows", p.HotWindows)
	r.GraphNodes, r.GraphEdges = around[uint32](t, "nodes", 0, r.QueueLen), around(t, "edges", p.FusionEdges)
	r.FrontierDensityBps = around(t, "density", 0, p.SparseBps, p.SparseBps+250, p.SparseBps-250, p.DenseBps, p.DenseBps+250, p.DenseBps-250)
	r.MemoryPressureBps = around(t, "memory", 0, p.MemoryBps, p.MemoryBps-250)
	r.ResidentDeviceBytes, r.DeviceMemoryBudgetBytes = around[uint64](t, "resident", 0, 1<<20), around[uint64](t, "budget", 0, 1<<20)
	return r
}

// TestExplainAgrees: Explain decides as Recommend does, each of its conditions holds with the margin it
// gives, and the last word of the reasons on each member is what the recommendation has.
func TestExplainAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawPolicy(t)
		request := drawRequest(t, &rules)
		previous := policy.Topology(rapid.IntRange(0, 6).Draw(t, "previous"))
		want, wantErr := rules.Recommend(&request, previous)
		got, reasons, err := rules.Explain(&request, previous)
		if got != want || !reflect.DeepEqual(err, wantErr) {
			t.Fatalf("explained %+v, %v; recommended %+v, %v", got, err, want, wantErr)
		}
		for _, r := range reasons {
			if len(r.Conditions) == 0 {
				t.Errorf("%s has no condition", r.Rule)
			}
			for _, c := range r.Conditions {
				checkCondition(t, r.Rule, c)
			}
		}
		if err == nil {
			checkDecisions(t, got, reasons)
		}
	})
}

func checkCondition(t *rapid.T, rule string, c policy.Condition) {
	holds, margin := false, uint64(0)
	switch c.Holds {
	case ">=":
		holds, margin = c.Value >= c.Bound, c.Value-c.Bound
	case ">":
		holds, margin = c.Value > c.Bound, c.Value-c.Bound-1
	case "<=":
		holds, margin = c.Value <= c.Bound, c.Bound-c.Value
	case "<":
		holds, margin = c.Value < c.Bound, c.Bound-c.Value-1
	case "==":
		holds = c.Value == c.Bound
	}
	if !holds || margin != c.Margin {
		t.Errorf("%s: %+v does not hold, or its margin is not %d", rule, c, margin)
	}
}

func checkDecisions(t *rapid.T, rec policy.Recommendation, reasons []policy.Reason) {
	last := map[string]string{}
	for _, r := range reasons {
		last[r.Sets] = r.To
	}
	want := map[string]any{
		"topology": rec.Topology, "worker_groups": rec.Groups, "workgroup_size_x": rec.Geometry.WorkgroupSizeX,
		"dispatch_grid": rec.Geometry.Grid[0], "pressure": rec.Pressure, "execution_mode": rec.Mode,
		"hit_capacity": rec.HitCapacity, "estimated_peak_device_bytes": rec.PeakBytes,
	}
	for name, v := range want {
		if last[name] != fmt.Sprint(v) {
			t.Errorf("reasons end with %s = %q, recommended is %v", name, last[name], v)
		}
	}
	for name, v := range map[string]bool{"promote_hot_opcodes": rec.PromoteHotOpcodes, "promote_hot_windows": rec.PromoteHotWindows, "age_priority_work": rec.AgePriorityWork} {
		if (last[name] == "true") != v {
			t.Errorf("reasons say %s = %q, recommended is %v", name, last[name], v)
		}
	}
}

// TestHysteresisIsStable: a topology that a recommendation gave is given again for the same request.
func TestHysteresisIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawPolicy(t)
		request := drawRequest(t, &rules)
		first, err := rules.Recommend(&request, policy.Topology(rapid.IntRange(0, 6).Draw(t, "previous")))
		if err != nil {
			return
		}
		second, err := rules.Recommend(&request, first.Topology)
		if err != nil || second != first {
			t.Fatalf("first %+v, then %+v, %v", first, second, err)
		}
	})
}

// TestRecommendationFits: what is recommended keeps to the limits of the request.
func TestRecommendationFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawPolicy(t)
		r := drawRequest(t, &rules)
		rec, err := rules.Recommend(&r, policy.NoTopology)
		switch {
		case err != nil && !strings.Contains(err.Error(), "Fix: "):
			t.Fatalf("error without a fix: %v", err)
		case err != nil:
		case rec.Groups > r.MaxGroups || rec.Geometry.WorkgroupSizeX > r.MaxWidth || rec.Geometry.Grid[0] > rec.Groups || rec.Geometry.Grid[0] == 0:
			t.Fatalf("%+v for %+v", rec, r)
		case r.DeviceMemoryBudgetBytes > 0 && rec.PeakBytes > r.DeviceMemoryBudgetBytes:
			t.Fatalf("%d bytes, budget %d", rec.PeakBytes, r.DeviceMemoryBudgetBytes)
		}
	})
}

// FuzzParsePolicy: any text is a policy or an error, never a panic.
func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte("saturated_waves = 4"))
	f.Add([]byte("[x]\ny = 1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := policy.ParsePolicy(text); err != nil && !errors.Is(err, policy.ErrInput) {
			t.Errorf("%v", err)
		}
	})
}

// BenchmarkRecommend is the goal "recommend": 30 ns, no allocation.
func BenchmarkRecommend(b *testing.B) {
	rules := policy.StandardPolicy()
	r := policy.Request{
		QueueLen: 8192, Groups: 128, HitsPerItem: 2, RequeueCount: 3, MaxPriorityAge: 7,
		Limits:   policy.Limits{MaxWidth: 256, MaxGroups: 65535, MaxInvocations: 1024},
		Workload: policy.Workload{GraphNodes: 100_000, GraphEdges: 250_000, ResidentDeviceBytes: 1 << 28, DeviceMemoryBudgetBytes: 1 << 32},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rules.Recommend(&r, policy.HybridFrontier); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRecommendAllocatesNothing: a policy that runs beside a kernel makes no garbage.
func TestRecommendAllocatesNothing(t *testing.T) {
	rules := policy.StandardPolicy()
	r := policy.Request{QueueLen: 8192, Groups: 128, Limits: policy.MinimumLimits, Workload: policy.Workload{GraphNodes: 100_000}}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := rules.Recommend(&r, policy.HybridFrontier); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
