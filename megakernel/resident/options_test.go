package resident

import (
	"errors"
	"fmt"
	"testing"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

const loopLimit = 65_372 // of llvmpipe

// limitsOf are the limits of a kernel of so many lanes whose loops count once, on a device that limits loops.
func limitsOf(lanes int, activation uint32) (limits, error) {
	k := &kernel.Kernel{Config: kernel.Config{WorkgroupSize: lanes, LoopLimit: loopLimit}, Costs: kernel.LoopCosts{Tick: 1}}
	p := engine.DeviceProfile{LoopIterationLimit: engine.Known(uint64(loopLimit))}
	return sliceLimits(&Options{Activation: activation}, k, p)
}

// What a burst may use comes out of what activations leave: it takes none from wide workers.
func TestBurstsTakeNoActivations(t *testing.T) {
	for lanes := 1; lanes <= 1024; lanes++ {
		most := uint32((loopLimit*3/4 - slack - 1) / lanes)
		for _, activation := range []uint32{0, 1, most} {
			l, err := limitsOf(lanes, activation)
			if err != nil {
				t.Fatalf("%d lanes of %d iterations: %v", lanes, activation, err)
			}
			worst := uint64(l.iterations) + uint64(lanes)*uint64(l.activation+l.burst) + slack
			if worst > loopLimit || l.iterations < loopLimit/8 || l.burst > megakernel.BurstIterations {
				t.Fatalf("%d lanes of %d iterations: %+v, at worst %d", lanes, activation, l, worst)
			}
		}
	}
}

// The number that the error names is possible, and the next one is not.
func TestActivationsThatDoNotFitNameOnesThatDo(t *testing.T) {
	for _, lanes := range []int{1, 8, 64, 1000, 1024} {
		_, err := limitsOf(lanes, loopLimit)
		var wrong *OptionError
		if !errors.As(err, &wrong) {
			t.Fatalf("%d lanes: %v", lanes, err)
		}
		var most uint32
		if _, err := fmt.Sscanf(wrong.Fix, "use at most %d iterations", &most); err != nil {
			t.Fatal(wrong.Fix)
		}
		if _, err := limitsOf(lanes, most); err != nil {
			t.Errorf("%d lanes of %d iterations: %v", lanes, most, err)
		}
		if _, err := limitsOf(lanes, most+1); err == nil {
			t.Errorf("%d lanes: %d iterations are possible too", lanes, most+1)
		}
	}
}
