//go:build cgo && egl

package gl

import (
	"context"
	"errors"

	"vyretop/engine"
)

const (
	lockstepRounds = 512 // with their inner loops, below the least loop limit known
	lockstepBits   = 5   // of the number of an invocation in the probe's workgroup
)

// probeLockstep finds how many neighboring invocations run in step, so that what one stores in
// shared memory the others read without a barrier. Only a CPU device is believed: it runs them as one
// vector and masks what some must not do, so they cannot come apart. The threads of a GPU can, and
// that a probe did not see it proves nothing.
func (b *Backend) probeLockstep(ctx context.Context) (err error) {
	if !b.profile.SoftwareDevice.Or(false) {
		return nil
	}
	l, err := b.lab(ctx, "lockstep", 32, labBuffer{2 + lockstepBits, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	w := l.buffers[0].Words()
	w.CopyFrom(0, []uint32{lockstepRounds, 1})
	if _, err := l.run(1); err != nil {
		return err
	}
	together := uint32(1)
	for bit := 0; bit < lockstepBits && w.Load(2+bit) == 0; bit++ {
		together *= 2
	}
	b.profile.LockstepInvocations = engine.Known(together)
	return nil
}
