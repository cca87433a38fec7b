//go:build cgo && egl

package gl

import (
	"context"
	"testing"

	"vyretop/engine"
)

func TestMemoryMatrixIsComplete(t *testing.T) {
	be := testBackend(t)
	rows := be.MeasureMemory(t.Context())
	if len(rows) != 2 || rows[0].Class != "host-visible" || rows[1].Class != "device-local" {
		t.Fatalf("rows %+v", rows)
	}
	for _, m := range rows {
		if m.Placement != be.Profile().BufferPlacement[m.Class] {
			t.Errorf("%s ends up in %s", m.Class, m.Placement)
		}
		for name, a := range map[string]Access{"host read": m.HostRead, "host write": m.HostWrite, "device read": m.DeviceRead, "device write": m.DeviceWrite} {
			if a.MBPerS.Or(0) <= 0 || a.NsPerWord.IsZero() || a.NsPerWord.Or(0) < 0 {
				t.Errorf("%s, %s: %+v", m.Class, name, a)
			}
		}
	}
	if rows[0].RoundTripNs.Or(1) <= 0 || !rows[1].RoundTripNs.IsZero() { // absent where a busy host kept the two sides apart
		t.Errorf("round trips %v and %v", rows[0].RoundTripNs, rows[1].RoundTripNs)
	}
	if kept, _ := be.Messages(); len(kept) > 0 {
		t.Errorf("messages %+v", kept)
	}
}

// The kernel must have followed every hop: a driver that ended its loop early would look fast.
func TestMemoryKernelFollowsEveryHop(t *testing.T) {
	be := testBackend(t)
	l, err := be.lab(within(t), "memory", 64, labBuffer{memoryWords, engine.DeviceLocal}, labBuffer{memorySettings, engine.HostVisible})
	check(t, err)
	defer func() { check(t, l.close()) }()
	check(t, l.buffers[0].Upload(within(t), 0, hops()))
	for _, way := range []uint32{wayFollow, wayLeave} {
		_, err = timeWay(l, way, memorySteps, 1)
		check(t, err)
		if got, want := l.buffers[1].Words().Load(3), uint32(memorySteps*memoryHop%memoryPlaces); got != want {
			t.Errorf("way %d ended at place %d, want %d", way, got, want)
		}
	}
	_, err = timeWay(l, wayWrite, 0, memoryGroups)
	check(t, err)
	got := read(t, l.buffers[0])
	for at := range memoryPlaces {
		if got[4*at] != uint32(at) || got[4*at+3] != uint32(at) {
			t.Fatalf("place %d holds %v", at, got[4*at:4*at+4])
		}
	}
}

func TestMemoryMatrixSaysWhyItIsAbsent(t *testing.T) {
	be := testBackend(t)
	ctx, cancel := context.WithCancel(within(t))
	cancel()
	for _, m := range be.MeasureMemory(ctx) {
		if !m.HostRead.MBPerS.IsZero() || !m.DeviceWrite.NsPerWord.IsZero() {
			t.Errorf("%+v", m)
		}
	}
	if kept, _ := be.Messages(); len(kept) != 2 {
		t.Errorf("messages %+v, want one for each class", kept)
	}
}
