package resident

import (
	"errors"
	"fmt"
	"testing"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

const loopLimit = 65_372 // of llvmpipe

// limitsOf are the limits of a kernel of that many lanes whose loops count once, on a device that limits loops.
func limitsOf(lanes int, o Options) (limits, error) {
	k := &kernel.Kernel{Config: kernel.Config{WorkgroupSize: lanes, LoopLimit: loopLimit}, Costs: kernel.LoopCosts{Tick: 1}}
	p := engine.DeviceProfile{LoopIterationLimit: engine.Known(uint64(loopLimit))}
	return sliceLimits(&o, k, p)
}

// What a burst may use comes out of what activations leave: it takes none from wide workers.
func TestBurstsTakeNoActivations(t *testing.T) {
	for lanes := 1; lanes <= 1024; lanes++ {
		most := uint32((loopLimit*3/4 - slack - 1) / lanes)
		for _, activation := range []uint32{0, 1, most} {
			l, err := limitsOf(lanes, Options{Activation: activation})
			if err != nil {
				t.Fatalf("%d lanes of %d iterations: %v", lanes, activation, err)
			}
			worst := uint64(l.iterations) + uint64(lanes)*uint64(l.activation+l.burst) + slack
			if worst > loopLimit || l.iterations < loopLimit/8 || l.burst > megakernel.BurstIterations || int(l.burst)*lanes > loopLimit/8 {
				t.Fatalf("%d lanes of %d iterations: %+v, at worst %d", lanes, activation, l, worst)
			}
		}
	}
}

// The number that the error names is possible, and the next one is not.
func TestActivationsThatDoNotFitNameOnesThatDo(t *testing.T) {
	for _, lanes := range []int{1, 8, 64, 1000, 1024} {
		_, err := limitsOf(lanes, Options{Activation: loopLimit})
		var wrong *fault.Error
		if !errors.As(err, &wrong) {
			t.Fatalf("%d lanes: %v", lanes, err)
		}
		var most uint32
		if _, err := fmt.Sscanf(wrong.Fix, "use at most %d iterations", &most); err != nil {
			t.Fatal(wrong.Fix)
		}
		if _, err := limitsOf(lanes, Options{Activation: most}); err != nil {
			t.Errorf("%d lanes of %d iterations: %v", lanes, most, err)
		}
		if _, err := limitsOf(lanes, Options{Activation: most + 1}); err == nil {
			t.Errorf("%d lanes: %d iterations are possible too", lanes, most+1)
		}
	}
}

// Fewer iterations can be asked for than a device allows, and not more.
func TestIterationsAreBoundedByTheDevice(t *testing.T) {
	ceiling, err := limitsOf(8, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[uint32]uint32{100: 100, ceiling.iterations - 1: ceiling.iterations - 1, loopLimit: ceiling.iterations} {
		if l, err := limitsOf(8, Options{Iterations: asked}); l.iterations != want || err != nil {
			t.Errorf("asked for %d: %+v, %v, want %d", asked, l, err, want)
		}
	}
}

// What a session takes without further options: a GPU is filled, and left alone by host memory's readers; a
// device that runs on the host's processors leaves one of them to the host.
func TestDefaultsOfDevices(t *testing.T) {
	type defaults struct {
		workers, lanes       int
		pollers, burst, idle uint32
		crowded              uint32 // idle passes with more workers than run at once
		pollersOfFour        uint32
	}
	known := func(n uint32) engine.Optional[uint32] { return engine.Known(n) }
	for name, tc := range map[string]struct {
		profile engine.DeviceProfile
		want    defaults
	}{
		"unknown": {engine.DeviceProfile{}, defaults{1, 8, 1, 8, spinPasses, spinPasses, 1}},
		"software": {
			engine.DeviceProfile{SoftwareDevice: engine.Known(true), HostThreads: known(6), ConcurrentWorkgroups: known(4)},
			defaults{3, 8, 1, 8, spinPasses, crowdedPasses, 1},
		},
		"software on one processor": {
			engine.DeviceProfile{SoftwareDevice: engine.Known(true), HostThreads: known(1)},
			defaults{1, 8, 1, 8, spinPasses, spinPasses, 1},
		},
		"GPU": {
			engine.DeviceProfile{SoftwareDevice: engine.Known(false), ComputeUnits: known(132), ConcurrentWorkgroups: known(2112), SubgroupSize: known(32)},
			defaults{264, 128, 66, 1, spinPasses, crowdedPasses, 2},
		},
		"GPU that runs fewer at once": {
			engine.DeviceProfile{SoftwareDevice: engine.Known(false), ComputeUnits: known(132), ConcurrentWorkgroups: known(100), SubgroupSize: known(64)},
			defaults{100, 256, 25, 1, spinPasses, crowdedPasses, 2},
		},
		"GPU of more workers than there can be": {
			engine.DeviceProfile{SoftwareDevice: engine.Known(false), ComputeUnits: known(1 << 20), ConcurrentWorkgroups: known(1 << 20), SubgroupSize: known(32)},
			defaults{megakernel.MaxWorkers, 128, megakernel.MaxWorkers / 4, 1, spinPasses, crowdedPasses, 2},
		},
	} {
		p, n := tc.profile, DefaultWorkers(tc.profile)
		got := defaults{
			n, DefaultWorkgroupSize(p), pollers(p, n), defaultBurst(p),
			idlePasses(&Options{}, p, n), idlePasses(&Options{}, p, int(p.ConcurrentWorkgroups.Or(0))+1),
			pollers(p, 4),
		}
		if got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
		if got := idlePasses(&Options{Idle: 5}, p, n); got != 5 {
			t.Errorf("%s: %d idle passes, want those asked for", name, got)
		}
	}
}
