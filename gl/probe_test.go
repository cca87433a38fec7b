//go:build cgo && egl

package gl

import (
	"encoding/json"
	"testing"
	"time"

	"vyretop/engine"
)

// TestProbedProfileIsSane checks the relations that hold on every device between the values that were
// read, and shows them all.
func TestProbedProfileIsSane(t *testing.T) {
	b := openFor(t, Options{Device: testDevice(t)})
	p := b.Profile()
	kept, _ := b.Messages()
	for _, m := range kept {
		t.Logf("%s, %s: %s", m.Source, m.Severity, m.Text)
	}
	if limit, known := p.LoopIterationLimit.Get(); known && (limit < 1000 || limit >= loopSingle) {
		t.Errorf("loop limit %d", limit)
	}
	if ns, known := p.DispatchFenceNs.Get(); !known || ns <= 0 || ns > 1e9 {
		t.Errorf("dispatch and fence: %v ns", p.DispatchFenceNs)
	}
	if n, known := p.ConcurrentWorkgroups.Get(); known && (n == 0 || n >= meetMostGroups) {
		t.Errorf("%d concurrent workgroups", n)
	}
	if _, known := p.HostDeviceRoundTripNs.Get(); known && !(p.HostSeesDeviceStores.Or(false) && p.DeviceSeesHostStores.Or(false)) {
		t.Error("a round trip was timed although one side does not see the other")
	}
	for name, known := range map[string]bool{
		"host sees": !p.HostSeesDeviceStores.IsZero(), "device sees": !p.DeviceSeesHostStores.IsZero(),
		"dispatch blocks": !p.DispatchBlocks.IsZero(), "invocations": !p.MaxInvocations.IsZero(),
		"workgroup size": !p.MaxWorkgroupSize.IsZero(), "shared memory": !p.MaxSharedBytes.IsZero(),
	} {
		if !known {
			t.Errorf("%s: not read", name)
		}
	}
	p.Extensions = nil
	out, err := json.MarshalIndent(p, "", "  ")
	check(t, err)
	t.Logf("%s", out)
}

// TestPlacementFollowsTheProbe expects buffers to end up where the profile says.
func TestPlacementFollowsTheProbe(t *testing.T) {
	b := openFor(t, Options{Device: testDevice(t)})
	for _, class := range classes {
		buf := allocate(t, b, 16, class)
		if got, want := buf.Placement().String(), b.Profile().BufferPlacement[class.String()]; got != want {
			t.Errorf("%v: the buffer is %s, the profile says %s", class, got, want)
		}
	}
}

// TestSkippedProbesStayUnknown expects no measured value without probes.
func TestSkippedProbesStayUnknown(t *testing.T) {
	p := testBackend(t).Profile()
	for name, absent := range map[string]bool{
		"loop limit": p.LoopIterationLimit.IsZero(), "round trip": p.HostDeviceRoundTripNs.IsZero(),
		"dispatch and fence": p.DispatchFenceNs.IsZero(), "concurrency": p.ConcurrentWorkgroups.IsZero(),
		"blocks": p.DispatchBlocks.IsZero(),
	} {
		if !absent {
			t.Errorf("%s: known without a probe", name)
		}
	}
	if p.MaxInvocations.IsZero() || p.BufferPlacement[engine.DeviceLocal.String()] != engine.DeviceLocal.String() {
		t.Errorf("limits are missing: %+v", p)
	}
}

// TestABusyHostIsNoGPU: llvmpipe was once taken for a GPU, because waiting for a core after the call took longer
// than the call.
func TestABusyHostIsNoGPU(t *testing.T) {
	us := func(wall, call time.Duration) meetTime {
		return meetTime{wall * time.Microsecond, call * time.Microsecond}
	}
	for name, c := range map[string]struct {
		none, some meetTime
		want       bool
	}{
		"processor":                      {us(50, 45), us(150, 145), true},
		"processor of a busy host":       {us(900, 45), us(1000, 145), true},
		"processor, waits of all kinds":  {us(900, 45), us(800, 145), true},
		"device":                         {us(20, 5), us(120, 5), false},
		"device, and a call interrupted": {us(20, 5), us(120, 30), false},
	} {
		if got := insideTheCall(c.none, c.some); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
