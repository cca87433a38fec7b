package resident_test

import (
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/resident"
)

// watched says that its device's watchdog kills what runs for long.
type watched struct{ engine.Backend }

func (b watched) Profile() engine.DeviceProfile {
	p := b.Backend.Profile()
	p.DispatchTimeLimitMs = engine.Known(40.0)
	return p
}

// A slice that was to last an hour must end before the watchdog ends it.
func TestSlicesStayClearOfTheWatchdog(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, watched{b}, shared(t, b), resident.Options{Workers: 1, SliceTime: time.Hour})
		publish(t, s, work(1, nil))
		if err := s.AwaitSlice(deadline(t), 6); err != nil {
			t.Fatal(err)
		}
	})
}
