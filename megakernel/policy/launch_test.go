package policy_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

const top = math.MaxUint32

func TestWidth(t *testing.T) {
	tests := []struct{ workers, limit, want uint32 }{
		{0, 0, 1}, {1, 1, 1}, {64, 256, 64}, {300, 256, 256}, {64, 0, 1}, {top, top, top},
	}
	for _, tt := range tests {
		if got := policy.Width(tt.workers, tt.limit); got != tt.want {
			t.Errorf("Width(%d, %d) = %d, want %d", tt.workers, tt.limit, got, tt.want)
		}
	}
}

func TestPaddedSlots(t *testing.T) {
	tests := []struct{ slots, width, want uint32 }{
		{0, 0, 1}, {0, 64, 64}, {1, 64, 64}, {64, 64, 64}, {65, 64, 128}, {7, 0, 7},
		{top, 64, top &^ 63},    // saturates below the number asked for
		{top, 1 << 31, 1 << 31}, // one workgroup fits, two do not
		{top - 1, top - 1, top - 1},
	}
	for _, tt := range tests {
		if got := policy.PaddedSlots(tt.slots, tt.width); got != tt.want {
			t.Errorf("PaddedSlots(%d, %d) = %d, want %d", tt.slots, tt.width, got, tt.want)
		}
	}
}

func TestGrid(t *testing.T) {
	tests := []struct{ workers, queue, width, want uint32 }{
		{0, 0, 0, 1}, {64, 0, 256, 1}, {64, 256, 256, 1}, {64, 257, 256, 2}, {4, 1 << 20, 256, 4},
		{top, 1 << 30, 256, policy.MaxGridGroups}, {149, top - 1, 1774986749, 2}, // the sum saturates
	}
	for _, tt := range tests {
		if got := policy.Grid(tt.workers, tt.queue, tt.width); got != [3]uint32{tt.want, 1, 1} {
			t.Errorf("Grid(%d, %d, %d) = %d, want %d", tt.workers, tt.queue, tt.width, got, tt.want)
		}
	}
}

func TestDefaultGroups(t *testing.T) {
	tests := []struct {
		limits policy.Limits
		want   uint32
	}{
		{policy.Limits{}, 1},
		{policy.Limits{MaxGroups: 255}, 1},
		{policy.Limits{MaxGroups: 65535}, 255},
		{policy.Limits{MaxGroups: top}, 1024},
		{policy.Limits{MaxGroups: 1, MaxInvocations: 4096}, 64},
		{policy.Limits{MaxGroups: 65535, MaxInvocations: 4096}, 255},
	}
	for _, tt := range tests {
		if got := tt.limits.DefaultGroups(); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.limits, got, tt.want)
		}
	}
}

func TestGeometryForItems(t *testing.T) {
	g, err := policy.GeometryForItems(1000, 64, 256)
	if want := (policy.Geometry{WorkgroupSizeX: 64, SlotCount: 1024, Grid: [3]uint32{16, 1, 1}}); g != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", g, err, want)
	}
	if g, err := policy.GeometryForItems(1024, 64, 256); g.SlotCount != 1024 || err != nil {
		t.Errorf("items that fill the slots: %+v, %v", g, err)
	}
	for _, items := range []uint64{top, 1 << 32, math.MaxUint64} {
		if _, err := policy.GeometryForItems(items, 64, 256); !errors.Is(err, policy.ErrOverflow) {
			t.Errorf("%d items: %v", items, err)
		}
	}
}

func TestGroupsOfGeometry(t *testing.T) {
	g := policy.Geometry{WorkgroupSizeX: 64, SlotCount: 1024}
	if n, err := g.CoveringGroups(); n != 16 || err != nil {
		t.Errorf("covering: %d, %v", n, err)
	}
	if n, err := policy.GroupsForSlots(1024, 64); n != 16 || err != nil {
		t.Errorf("groups: %d, %v", n, err)
	}
	for _, tt := range []struct{ slots, width uint32 }{{0, 64}, {64, 0}, {65, 64}, {63, 64}} {
		if _, err := policy.GroupsForSlots(tt.slots, tt.width); !errors.Is(err, policy.ErrInput) {
			t.Errorf("%d slots of %d: %v", tt.slots, tt.width, err)
		}
	}
	if _, err := new(policy.Geometry).CoveringGroups(); !errors.Is(err, policy.ErrInput) {
		t.Errorf("zero width: %v", err)
	}
}

func TestOptimalGridLimits(t *testing.T) {
	good := policy.Limits{MaxWidth: 256, MaxGroups: 65535, MaxInvocations: 1024}
	if g, groups, err := policy.OptimalGrid(0, 0, &good); groups != 255 || g.SlotCount != 255 || g.Grid != [3]uint32{1, 1, 1} || err != nil {
		t.Errorf("empty queue: %+v, %d, %v", g, groups, err)
	}
	tests := []struct {
		limits policy.Limits
		field  string
	}{
		{policy.Limits{}, "max_workgroup_size_x"},
		{policy.Limits{MaxWidth: 1}, "max_compute_workgroups_per_dimension"},
		{policy.Limits{MaxWidth: 1, MaxGroups: 1}, "max_compute_invocations_per_workgroup"},
	}
	for _, tt := range tests {
		if _, _, err := policy.OptimalGrid(1, 1, &tt.limits); !errors.Is(err, policy.ErrInput) || !strings.HasPrefix(err.Error(), tt.field+" ") || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%+v: %v, want one about %s", tt.limits, err, tt.field)
		}
	}
}

func TestConfig(t *testing.T) {
	c := policy.DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		config policy.Config
		field  string
	}{
		{policy.Config{}, "worker_count"},
		{policy.Config{Workers: 1}, "max_wall_time"},
		{policy.Config{Workers: 1, MaxWallTime: -time.Second}, "max_wall_time"},
	}
	for _, tt := range tests {
		if err := tt.config.Validate(); !errors.Is(err, policy.ErrInput) || !strings.HasPrefix(err.Error(), tt.field+" ") {
			t.Errorf("%+v: %v, want one about %s", tt.config, err, tt.field)
		}
	}
}

// queueOf makes slot words of tasks in the given states.
func queueOf(states ...tasks.State) []uint32 {
	var out []uint32
	for i, s := range states {
		task := tasks.Task{State: s, RequeueCount: uint32(i), AgeTicks: 2 * uint32(i)}
		w := task.Words()
		out = append(out, w[:]...)
	}
	return out
}

func TestRequestForTasks(t *testing.T) {
	c := policy.DefaultConfig()
	limits := &policy.Limits{MaxWidth: 256, MaxGroups: 65535, MaxInvocations: 1024}
	all := queueOf(tasks.Empty, tasks.Ready, tasks.Running, tasks.Done, tasks.Paused, tasks.Yielded, tasks.Requeued, tasks.Faulted)
	r, err := c.RequestForTasks(all, limits)
	// Ready, yielded and requeued make the queue; 0+1+…+7 requeues and two tasks that came back.
	if err != nil || r.QueueLen != 3 || r.RequeueCount != 30 || r.MaxPriorityAge != 14 || r.Groups != policy.DefaultWorkers {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := c.RequestForTasks(queueOf(8), limits); !errors.Is(err, tasks.ErrWord) {
		t.Errorf("unknown state: %v", err)
	}
	if _, err := c.RecommendForTasks(all[:17], limits); err == nil || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("part of a slot: %v", err)
	}
}

// TestRequeueDoesNotSaturateForEver: the requeues of a queue never decay, so a live policy must look at
// their change.
func TestRequeueDoesNotSaturateForEver(t *testing.T) {
	standard := policy.StandardPolicy()
	before := tasks.QueueSnapshot{Ready: 1, TotalRequeues: 7}
	now := tasks.QueueSnapshot{Ready: 1, Yielded: 1, TotalRequeues: 7}
	request := func(add func(*policy.Request) error) policy.Pressure {
		r := policy.Request{Limits: policy.Limits{MaxWidth: 256, MaxGroups: 65535, MaxInvocations: 1024}, Groups: 8}
		if err := add(&r); err != nil {
			t.Fatal(err)
		}
		rec, err := standard.Recommend(&r, policy.NoTopology)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Pressure
	}
	if p := request(func(r *policy.Request) error { return r.AddQueue(&now) }); p != policy.Saturated {
		t.Errorf("all requeues: %v", p)
	}
	if p := request(func(r *policy.Request) error { return r.AddQueueSince(&now, &before) }); p != policy.Light {
		t.Errorf("no requeue since: %v", p)
	}
	now.TotalRequeues = 9
	if p := request(func(r *policy.Request) error { return r.AddQueueSince(&now, &before) }); p != policy.Saturated {
		t.Errorf("two requeues since: %v", p)
	}
}

func TestQueueOverflow(t *testing.T) {
	full := tasks.QueueSnapshot{Ready: top, Yielded: 1}
	r := policy.Request{QueueLen: 5}
	if err := r.AddQueue(&full); !errors.Is(err, policy.ErrOverflow) || r.QueueLen != 5 {
		t.Errorf("tasks: %v, request %+v", err, r)
	}
	if err := r.AddQueueSince(&full, &tasks.QueueSnapshot{}); !errors.Is(err, policy.ErrOverflow) {
		t.Errorf("tasks since: %v", err)
	}
	requeued := tasks.QueueSnapshot{Requeued: 1, TotalRequeues: math.MaxUint64}
	if err := r.AddQueue(&requeued); !errors.Is(err, policy.ErrOverflow) {
		t.Errorf("requeues: %v", err)
	}
	r.RequeueCount = 1
	if err := r.AddQueue(&tasks.QueueSnapshot{TotalRequeues: math.MaxUint64}); !errors.Is(err, policy.ErrOverflow) || r.RequeueCount != 1 {
		t.Errorf("requeues of the request: %v", err)
	}
}

func TestOutOfMemoryNamesBytes(t *testing.T) {
	p := policy.StandardPolicy()
	r := policy.Request{QueueLen: 1, Limits: policy.Limits{MaxWidth: 1, MaxGroups: 1, MaxInvocations: 1}}
	r.DeviceMemoryBudgetBytes = 16383
	_, err := p.Recommend(&r, policy.NoTopology)
	var backend *engine.Error
	if !errors.As(err, &backend) || !errors.Is(err, engine.ErrDeviceOutOfMemory) || backend.Requested != 16384 || backend.Available != 16383 {
		t.Errorf("%v", err)
	}
	r.DeviceMemoryBudgetBytes++
	if _, err := p.Recommend(&r, policy.NoTopology); err != nil {
		t.Errorf("exactly the budget: %v", err)
	}
}

func TestTune(t *testing.T) {
	nan, negZero := math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		name       string
		candidates []uint32
		costs      []float64
		want       uint32
	}{
		{"none", nil, nil, 99},
		{"no costs", []uint32{1}, nil, 99},
		{"first of equals", []uint32{1, 2, 3}, []float64{2, 1, 1}, 2},
		{"negative zero is less", []uint32{1, 2}, []float64{0, negZero}, 2},
		{"NaN is last", []uint32{1, 2}, []float64{nan, math.Inf(1)}, 2},
		{"all NaN", []uint32{1, 2}, []float64{nan, -nan}, 1},
		{"negative", []uint32{1, 2, 3}, []float64{-1, -2, math.Inf(-1)}, 3},
		{"more costs than candidates", []uint32{1, 2}, []float64{2, 1, 0}, 2},
		{"more candidates than costs", []uint32{1, 2, 3}, []float64{2, 1}, 2},
	}
	p := policy.Policy{HitCapacityMultiplier: 99}
	for _, tt := range tests {
		if got := policy.CheapestWidth(tt.candidates, tt.costs, 99); got != tt.want {
			t.Errorf("%s: width %d, want %d", tt.name, got, tt.want)
		}
		if got := p.CheapestMultiplier(tt.candidates, tt.costs); got != tt.want {
			t.Errorf("%s: multiplier %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestDrain(t *testing.T) {
	const full = math.MaxUint64
	tests := []struct {
		a      policy.Accounting
		reason policy.DrainReason
	}{
		{policy.Accounting{}, policy.DrainNone},
		{policy.Accounting{MaxPriorityAge: 1}, policy.DrainPending},
		{policy.Accounting{Requeues: full - 1025}, policy.DrainPending},
		{policy.Accounting{Requeues: full - 1024, AgedPromotions: full - 1}, policy.DrainRequeueNear},
		{policy.Accounting{Requeues: 1, AgedPromotions: full - 1024}, policy.DrainPromotionNear},
		{policy.Accounting{Requeues: full - 1, AgedPromotions: full}, policy.DrainPromotionExhausted},
		{policy.Accounting{Requeues: full, AgedPromotions: full}, policy.DrainRequeueExhausted},
	}
	for _, tt := range tests {
		d := tt.a.Drain()
		if d.Reason != tt.reason || d.Should != (tt.reason != policy.DrainNone) || d.RequeueHeadroom != full-tt.a.Requeues || d.PromotionHeadroom != full-tt.a.AgedPromotions {
			t.Errorf("%+v: %+v, want %s", tt.a, d, tt.reason)
		}
	}
}

func TestRecordIsAllOrNothing(t *testing.T) {
	a := policy.Accounting{Requeues: math.MaxUint64 - 1, MaxPriorityAge: 3}
	before := a
	one := []policy.Event{{Kind: policy.Requeue, AgeTicks: 2}}
	if err := a.Record(append(one, policy.Event{Kind: policy.Requeue, AgeTicks: 9})); !errors.Is(err, policy.ErrOverflow) || a != before {
		t.Errorf("overflow: %v, %+v", err, a)
	}
	if err := a.Record(one); err != nil || a.Requeues != math.MaxUint64 || a.MaxPriorityAge != 3 {
		t.Errorf("one: %v, %+v", err, a)
	}
	if err := a.Record([]policy.Event{{Kind: policy.AgedPromotion, AgeTicks: 4}}); err != nil || a.AgedPromotions != 1 || a.MaxPriorityAge != 4 {
		t.Errorf("promotion: %v, %+v", err, a)
	}
}

func TestParsePolicy(t *testing.T) {
	p, err := policy.ParsePolicy([]byte("saturated_waves = 9 # more\nmemory_pressure_threshold_bps = 9000\n"))
	want := policy.StandardPolicy()
	want.SaturatedWaves, want.MemoryBps = 9, 9000
	if err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	for _, text := range []string{
		"waves = 3", "saturated_waves = -1", "saturated_waves = \"x\"", "= 3", "memory_pressure_threshold_bps = 70000",
		"memory_pressure_threshold_bps = 10001", "sparse_frontier_threshold_bps = 4000", "\x00",
	} {
		if _, err := policy.ParsePolicy([]byte(text)); !errors.Is(err, policy.ErrInput) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestNames(t *testing.T) {
	for i := policy.NoTopology; i <= policy.MemoryConstrained; i++ {
		text, _ := i.MarshalText()
		var back policy.Topology
		if err := back.UnmarshalText(text); err != nil || back != i {
			t.Errorf("topology %d: %q is %v, %v", i, text, back, err)
		}
	}
	var p policy.Pressure
	var m policy.Mode
	if err := p.UnmarshalText([]byte("Saturated")); err != nil || p != policy.Saturated {
		t.Errorf("pressure %v, %v", p, err)
	}
	if err := m.UnmarshalText([]byte("Jit")); err != nil || m != policy.Jit {
		t.Errorf("mode %v, %v", m, err)
	}
	for _, u := range []interface{ UnmarshalText([]byte) error }{new(policy.Topology), &p, &m} {
		if err := u.UnmarshalText([]byte("Nope")); !errors.Is(err, policy.ErrInput) {
			t.Errorf("%T: %v", u, err)
		}
	}
	if s := policy.Topology(200).String(); s != "unknown(200)" {
		t.Error(s)
	}
}
