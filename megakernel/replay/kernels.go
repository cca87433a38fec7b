package replay

import (
	"sync"

	"vyretop/megakernel/kernel"
)

// kernels are what the configuration of a plan was assembled to, by what the device and the shape put into it.
type kernels struct {
	guard     sync.Mutex
	assembled map[suited]*kernel.Kernel
}

// suited is the part of a configuration that plan.start sets.
type suited struct {
	lanes                      int
	loops                      uint64
	clock, unit                string
	mirror, lockstep, oneLoops bool
}

// assemble gives the kernel of a configuration, which may be that of an earlier call.
func (a *kernels) assemble(c kernel.Config) (*kernel.Kernel, error) {
	as := suited{c.WorkgroupSize, uint64(c.LoopLimit), c.Clock, c.Unit, c.Mirror, c.Lockstep, c.OneLoop}
	a.guard.Lock()
	defer a.guard.Unlock()
	if k := a.assembled[as]; k != nil {
		return k, nil
	}
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	if a.assembled == nil {
		a.assembled = map[suited]*kernel.Kernel{}
	}
	a.assembled[as] = k
	return k, nil
}
