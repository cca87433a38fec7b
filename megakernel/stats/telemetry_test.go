package stats_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// slot makes a slot of a window: state, opcode, tenant, ticket, part.
func slot(state tasks.State, opcode, tenant, ticket, part uint32) [tasks.SlotWords]uint32 {
	return [tasks.SlotWords]uint32{
		tasks.WordState: uint32(state), tasks.WordOpcode: opcode, tasks.WordTenant: tenant, tasks.WordArg0: ticket, tasks.WordArg0 + 1: part,
	}
}

func ringOf(slots ...[tasks.SlotWords]uint32) []uint32 {
	var out []uint32
	for _, s := range slots {
		out = append(out, s[:]...)
	}
	return out
}

func control(t testing.TB) []uint32 {
	words, err := megakernel.EncodeControl(4, 0)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func decode(t testing.TB, control, ring []uint32, windowOpcodes ...uint32) *stats.Reading {
	t.Helper()
	r := new(stats.Reading)
	if err := stats.NewDecoder(windowOpcodes).Decode(r, control, ring); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDecode(t *testing.T) {
	c := control(t)
	c[megakernel.CtrlDoneCount], c[megakernel.CtrlEpoch] = 9, 3
	c[megakernel.CtrlTenantFair0], c[megakernel.CtrlTenantFair0+2] = 10, 4
	c[megakernel.CtrlPriorityFair0+1] = 14
	r := decode(t, c, ringOf(
		slot(tasks.Empty, 0, 0, 0, 0), slot(tasks.Ready, 100, 1, 7, 0), slot(tasks.Running, 100, 2, 7, 1), slot(tasks.Done, 100, 3, 7, 2),
		slot(tasks.Paused, 100, 1, 6, 0), slot(tasks.Yielded, 101, 1, 7, 0), slot(tasks.Requeued, 9, 1, 7, 0), slot(tasks.Faulted, 100, 1, 5, 0),
		slot(77, 9, 28, 1, 2),
	), 100, 101)
	if want := (stats.StateCounts{1, 1, 1, 1, 1, 1, 1, 1, 1}); r.Occupancy != want {
		t.Errorf("occupancy %v", r.Occupancy)
	}
	want := stats.Counters{
		Total: 9, Depth: 7, Idle: 1, IdlePpm: 111111, FrontierBps: 7777, OccupancyBps: 8888, Drained: 9, Unreclaimed: 1,
		TenantTotal: 14, TenantSkew: 6, PriorityTotal: 14, Requeued: 1, Faulted: 1,
	}
	if r.Counters != want || r.Control.Epoch != 3 {
		t.Errorf("counters %+v, epoch %d", r.Counters, r.Control.Epoch)
	}
	var windows []string
	for _, w := range r.Windows {
		windows = append(windows, fmt.Sprintf("%d/%d tenant %d: %d required, %d ahead of %d, active %v", w.Ticket, w.Opcode, w.Tenant, w.Required, w.Lookahead, w.Slots(), w.Active()))
	}
	wantWindows := []string{
		"5/100 tenant 1: 1 required, 0 ahead of 1, active false",
		"6/100 tenant 1: 1 required, 0 ahead of 1, active true",
		"7/100 tenant 1: 1 required, 1 ahead of 3, active true",
		"7/101 tenant 1: 1 required, 0 ahead of 1, active true",
	}
	if !slices.Equal(windows, wantWindows) || r.ActiveWindows() != 3 {
		t.Errorf("%d active windows of\n%s", r.ActiveWindows(), strings.Join(windows, "\n"))
	}
	if s := r.Slot(8); r.Slots() != 9 || s != (stats.Slot{State: 77, Tenant: 28, Opcode: 9, Args: [3]uint32{1, 2, 0}}) || s.Active() {
		t.Errorf("%d slots, last %+v", r.Slots(), s)
	}
	if s := r.Slot(4); !s.Active() {
		t.Error("a paused slot is not active")
	}
	if a := r.Accounting(); a != (policy.Accounting{Requeues: 1}) {
		t.Errorf("accounting %+v", a)
	}
}

// TestDecodeStartsAnew: nothing of a reading is left in the next one that reuses its memory.
func TestDecodeStartsAnew(t *testing.T) {
	d, r := stats.NewDecoder([]uint32{100}), new(stats.Reading)
	for ticket := range uint32(3) {
		if err := d.Decode(r, control(t), ringOf(slot(tasks.Ready, 100, 0, ticket, 0))); err != nil {
			t.Fatal(err)
		}
		if len(r.Windows) != 1 || r.Windows[0].Ticket != ticket || r.Counters.Total != 1 {
			t.Errorf("reading %d: %d windows, %+v", ticket, len(r.Windows), r.Counters)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good, ring := control(t), ringOf(slot(tasks.Ready, 1, 0, 0, 0))
	other := slices.Clone(good)
	other[megakernel.CtrlTenantBase] = 4
	tests := []struct {
		name          string
		control, ring []uint32
	}{
		{"no control", nil, ring}, {"short control", good[:159], ring}, {"another buffer", other, ring}, {"part of a slot", good, ring[:15]},
	}
	for _, tt := range tests {
		err := stats.NewDecoder(nil).Decode(new(stats.Reading), tt.control, tt.ring)
		if !errors.Is(err, megakernel.ErrFormat) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	var o stats.StateCounts
	if err := o.Count(ring[:3]); !errors.Is(err, megakernel.ErrFormat) {
		t.Errorf("count: %v", err)
	}
}

func TestDerive(t *testing.T) {
	none, err := stats.Derive(&stats.StateCounts{}, 0, nil, nil)
	if none != (stats.Counters{}) || err != nil {
		t.Errorf("no slots: %+v, %v", none, err)
	}
	if _, err := stats.Derive(&stats.StateCounts{math.MaxUint32, 1}, 0, nil, nil); !errors.Is(err, stats.ErrCounter) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("too many slots: %v", err)
	}
	one, err := stats.Derive(&stats.StateCounts{math.MaxUint32}, 1, []uint32{0, 5, 0}, []uint32{math.MaxUint32, math.MaxUint32})
	if err != nil || one.IdlePpm != 1_000_000 || one.TenantSkew != 0 || one.TenantTotal != 5 || one.PriorityTotal != 2*math.MaxUint32 {
		t.Errorf("all empty: %+v, %v", one, err)
	}
}

func TestHealth(t *testing.T) {
	tests := []struct {
		name          string
		o             stats.StateCounts
		done, earlier uint32
		want          stats.Movement
	}{
		{"idle", stats.StateCounts{4}, 7, 7, stats.Movement{IdlePpm: 1_000_000}},
		{"works", stats.StateCounts{3, 1}, 8, 7, stats.Movement{DoneDelta: 1, Depth: 1, IdlePpm: 750_000}},
		{"stalls", stats.StateCounts{3, 0, 1}, 7, 7, stats.Movement{Depth: 1, IdlePpm: 750_000, Stalled: true}},
		{"done slots are no work", stats.StateCounts{0, 0, 0, 4}, 7, 7, stats.Movement{}},
		{"a fault does not hide a stall", stats.StateCounts{0, 1, 0, 0, 0, 0, 1, 2}, 7, 7, stats.Movement{Depth: 4, Faulted: 2, Requeued: 1, Stalled: true}},
		{"saturates", stats.StateCounts{1, math.MaxUint32, 1}, 7, 7, stats.Movement{Depth: math.MaxUint32, Stalled: true}},
	}
	for _, tt := range tests {
		if got, err := stats.MovementSince(&tt.o, tt.done, tt.earlier); got != tt.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
	if _, err := stats.MovementSince(&stats.StateCounts{}, 6, 7); !errors.Is(err, stats.ErrCounter) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("backwards: %v", err)
	}
}

func TestFeed(t *testing.T) {
	c := control(t)
	c[megakernel.CtrlMetrics0+3], c[megakernel.CtrlMetrics0+31] = 1, 9
	r := decode(t, c, ringOf(
		slot(tasks.Ready, 100, 0, 1, 0), slot(tasks.Ready, 100, 0, 1, 0), slot(tasks.Ready, 100, 0, 1, 1), slot(tasks.Requeued, 100, 0, 1, 1),
		slot(tasks.Ready, 100, 0, 2, 0), slot(tasks.Empty, 0, 0, 0, 0), slot(tasks.Done, 0, 0, 0, 0), slot(tasks.Done, 0, 0, 0, 0),
	), 100)
	request := policy.Request{RequeueCount: 2, Workload: policy.Workload{HotOpcodes: 9, HotWindows: 9, GraphNodes: 5, GraphEdges: 50}}
	r.Feed(&request)
	want := policy.Request{RequeueCount: 3, Workload: policy.Workload{HotOpcodes: 2, HotWindows: 1, GraphNodes: 5, GraphEdges: 50}}
	if request != want {
		t.Errorf("%+v, want %+v", request, want)
	}
	request.RequeueCount = 2
	r.FeedPeer(&request)
	want.GraphNodes, want.FrontierDensityBps = 8, 6250
	if request != want {
		t.Errorf("as the peer: %+v, want %+v", request, want)
	}
	request.FrontierDensityBps = 1
	if r.FeedPeer(&request); request.FrontierDensityBps != 1 {
		t.Errorf("a density that was given became %d", request.FrontierDensityBps)
	}
}

// TestOccupancyCountsEverySlot against a plain count, for every length and state.
func TestOccupancyCountsEverySlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 9), rapid.Uint32()), 0, 40).Draw(t, "states")
		opcodes := rapid.SliceOfN(rapid.Uint32Range(0, 5), 0, 4).Draw(t, "window opcodes")
		var want stats.StateCounts
		var ring []uint32
		windows := map[[2]uint32]uint64{}
		for i, s := range states {
			want[min(s, stats.UnknownState)]++
			w := slot(tasks.State(s), uint32(i%6), 0, uint32(i%4), 0)
			ring = append(ring, w[:]...)
			if slices.Contains(opcodes, uint32(i%6)) {
				windows[[2]uint32{uint32(i % 4), uint32(i % 6)}]++
			}
		}
		words, err := megakernel.EncodeControl(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := new(stats.Reading)
		if err := stats.NewDecoder(opcodes).Decode(r, words, ring); err != nil || r.Occupancy != want {
			t.Fatalf("%v, %v, want %v", r.Occupancy, err, want)
		}
		if len(r.Windows) != len(windows) {
			t.Fatalf("%d windows, want %d", len(r.Windows), len(windows))
		}
		for _, w := range r.Windows {
			if w.Slots() != windows[[2]uint32{w.Ticket, w.Opcode}] {
				t.Errorf("window %d/%d has %d slots", w.Ticket, w.Opcode, w.Slots())
			}
		}
	})
}

func TestSketch(t *testing.T) {
	for _, size := range [][2]uint64{{0, 1}, {1, 0}, {math.MaxUint64, 2}, {1, stats.MaxSketchCounters + 1}} {
		if _, err := stats.NewSketch(size[0], size[1]); !errors.Is(err, stats.ErrSize) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%v: %v", size, err)
		}
	}
	s, err := stats.NewSketch(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Add(1, 5), s.Add(2, math.MaxUint64-5)); err != nil || s.Estimate(1) != math.MaxUint64 {
		t.Errorf("full: %v, %d", err, s.Estimate(1))
	}
	before := s.Counters()
	if err := s.Add(3, 1); !errors.Is(err, stats.ErrCounter) || !slices.Equal(s.Counters(), before) {
		t.Errorf("overflow: %v, %v", err, s.Counters())
	}
}

// TestSketchNeverUnderestimates, and the keys of a wide sketch are exact.
func TestSketchNeverUnderestimates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := stats.NewSketch(rapid.Uint64Range(1, 4).Draw(t, "depth"), rapid.Uint64Range(1, 64).Draw(t, "width"))
		if err != nil {
			t.Fatal(err)
		}
		want := map[uint64]uint64{}
		for _, k := range rapid.SliceOf(rapid.Uint64Range(0, 30)).Draw(t, "keys") {
			want[k]++
			if err := s.Add(k, 1); err != nil {
				t.Fatal(err)
			}
		}
		for k, n := range want {
			if s.Estimate(k) < n {
				t.Errorf("key %d: %d, was counted %d times", k, s.Estimate(k), n)
			}
		}
	})
}

// FuzzDecode: whatever a kernel leaves in the buffers, decoding ends in counts or a format error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{}, []byte{1, 2, 3}, uint32(9))
	f.Add(make([]byte, 640), make([]byte, 128), uint32(0))
	f.Fuzz(func(t *testing.T, controlBytes, ringBytes []byte, opcode uint32) {
		c, ring := wordsOf(controlBytes), wordsOf(ringBytes)
		if len(c) > megakernel.CtrlTenantBase {
			c[megakernel.CtrlTenantBase] = megakernel.CtrlTenantMask0
		}
		r := new(stats.Reading)
		err := stats.NewDecoder([]uint32{opcode, 0}).Decode(r, c, ring)
		if err == nil && int(r.Counters.Total) != len(ring)/tasks.SlotWords || err != nil && !errors.Is(err, megakernel.ErrFormat) {
			t.Errorf("%+v, %v", r.Counters, err)
		}
	})
}

func wordsOf(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24
	}
	return out
}

// benchmarkDecode decodes a ring in mixed states, of which one slot in eight belongs to a window of eight.
func benchmarkDecode(b *testing.B, slots int) {
	var ring []uint32
	for i := range slots {
		opcode := uint32(300)
		if i/8%8 == 0 {
			opcode = 100
		}
		w := slot(tasks.State(i*7%9), opcode, uint32(i%5), uint32(i/8), uint32(i%2))
		ring = append(ring, w[:]...)
	}
	c, d, r := control(b), stats.NewDecoder([]uint32{100, 101}), new(stats.Reading)
	if err := d.Decode(r, c, ring); err != nil { // its slices grow once
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(4 * len(ring)))
	for b.Loop() {
		if err := d.Decode(r, c, ring); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTelemetryDecode4096 is the goal of 12 us, no allocation.
func BenchmarkTelemetryDecode4096(b *testing.B) { benchmarkDecode(b, 4096) }

// BenchmarkTelemetryDecode262144 is the goal of 1 ms, no allocation.
func BenchmarkTelemetryDecode262144(b *testing.B) { benchmarkDecode(b, 262_144) }

// TestDecodeAllocatesNothing once its slices have grown.
func TestDecodeAllocatesNothing(t *testing.T) {
	c, d, r := control(t), stats.NewDecoder([]uint32{100}), new(stats.Reading)
	var ring []uint32
	for i := range uint32(200) {
		w := slot(tasks.Ready, 100+i%2, 0, i/2, 0)
		ring = append(ring, w[:]...)
	}
	decodeOnce := func() {
		if err := d.Decode(r, c, ring); err != nil || len(r.Windows) != 100 {
			t.Errorf("%d windows, %v", len(r.Windows), err)
		}
	}
	decodeOnce()
	if n := testing.AllocsPerRun(100, decodeOnce); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
