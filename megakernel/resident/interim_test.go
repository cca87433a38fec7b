package resident_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/interim"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// slowDevice is a device whose compiler ends when it may.
type slowDevice struct {
	*reference.Backend
	may chan struct{}
}

func (s *slowDevice) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	select {
	case <-s.may:
		return s.Backend.Compile(ctx, p)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// standIn opens a slow device, and what stands in for it.
func standIn(t *testing.T) (*slowDevice, *interim.Backend) {
	d := &slowDevice{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{})}
	b, err := interim.Open(d, interim.Options{Workgroups: megakernel.MaxWorkers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, b
}

// TestNothingLostWhenTheDeviceTakesOver has the work move at random times.
func TestNothingLostWhenTheDeviceTakesOver(t *testing.T) {
	for seed := range backendtest.Seeds(2, 6) {
		d, b := standIn(t)
		rng := rand.New(rand.NewPCG(seed, 9))
		timer := time.AfterFunc(time.Duration(rng.IntN(300))*time.Millisecond, func() { close(d.may) })
		checkRandomRun(t, b, rng, 500, resident.CoreOff, seed%2 == 1)
		if timer.Stop() {
			close(d.may)
		}
	}
}

// TestTasksEndBeforeTheDeviceHasCompiled: the first task waited for the driver's compiler. Who looks sees that it compiles.
func TestTasksEndBeforeTheDeviceHasCompiled(t *testing.T) {
	d, b := standIn(t)
	s := start(t, b, assemble(t, b, countdown, 8, "work"), resident.Options{Workers: 2, Core: resident.CoreOff})
	countDown(t, s, 50)
	if !s.Compiling() || s.Snapshot().Compiling == (megakernel.Compiling{}) {
		t.Error("nothing says that the device is compiling")
	}
	close(d.may)
	for b.StandsIn() {
		countDown(t, s, 5)
	}
	countDown(t, s, 50)
	if s.Compiling() || s.Snapshot().Compiling != (megakernel.Compiling{}) {
		t.Error("the device still compiles")
	}
}
