package reference

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/reference/vm"
)

var opened atomic.Uint64 // backends opened in this process

// Backend implements engine.Backend. Dispatches run one after the other in the order of Start.
type Backend struct {
	opts   Options
	id     string
	limits engine.Limits

	mu         sync.Mutex
	closed     bool
	lost       bool
	generation uint64 // how often it was recovered
	buffers    int    // alive
	pipelines  int
	under      map[*Dispatch]struct{} // dispatches started and not ended
	last       <-chan struct{}        // closed when the dispatch started last and all before it have ended
}

var _ engine.Backend = (*Backend)(nil)

// Open makes a backend.
func Open(o Options) (*Backend, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	idle := make(chan struct{})
	close(idle)
	return &Backend{opts: o, id: fmt.Sprintf("%s#%d", backendName, opened.Add(1)), limits: limitsOf(o), under: map[*Dispatch]struct{}{}, last: idle}, nil
}

// maxGrid is the largest grid; its product fits 64 bits.
var maxGrid = [3]uint32{1<<31 - 1, 1<<16 - 1, 1<<16 - 1}

// profileChecked makes an error of what a kernel did that GLSL leaves undefined.
const profileChecked = "checked"

// maxTogether is how many workgroups may be under way at once when they wait for each other.
const maxTogether = 1 << 14

func limitsOf(o Options) engine.Limits {
	return engine.Limits{
		Backend: backendName, MaxWorkgroups: maxGrid, MaxWorkgroupSize: [3]uint32{vm.MaxLanes, vm.MaxLanes, vm.MaxLanes},
		MaxInvocations: vm.MaxLanes, PersistentThread: true, Profiles: []string{profileChecked},
		Cooperative: engine.Known(uint32(maxTogether)), AtGridBarrier: engine.Known(uint32(maxTogether)),
	}
}

// Identity implements engine.Backend.
func (b *Backend) Identity() engine.Identity {
	return engine.Identity{
		ID: b.id, Name: backendName, Version: "1", Device: DeviceName,
		Renderer: "vyretop reference interpreter", Driver: runtime.Version() + " " + runtime.GOARCH,
	}
}

// Profile implements engine.Backend.
func (b *Backend) Profile() engine.DeviceProfile {
	threads := max(b.opts.Parallel, 1)
	micro := microarchitecture
	micro.L1Bytes, micro.L2Bytes = engine.HostCaches(os.DirFS("/sys"))
	return engine.DeviceProfile{
		Identity:              b.Identity(),
		MaxWorkgroupSize:      engine.Known(b.limits.MaxWorkgroupSize),
		MaxWorkgroups:         engine.Known(b.limits.MaxWorkgroups),
		MaxInvocations:        engine.Known(b.limits.MaxInvocations),
		MaxStorageBufferBytes: engine.Known(uint64(maxBufferWords) * 4),
		MaxSharedBytes:        engine.Known(uint32(maxSharedWords * 4)),
		SoftwareDevice:        engine.Known(true),
		PersistentMapping:     engine.Known(true),
		HostThreads:           engine.Known(uint32(threads)),
		HostSeesDeviceStores:  engine.Known(true),
		DeviceSeesHostStores:  engine.Known(true),
		DispatchProfiles:      b.limits.KnownProfiles(),
		DispatchBlocks:        engine.Known(false),
		ConcurrentWorkgroups:  engine.Known(uint32(b.opts.Resident)),
		BufferPlacement: map[string]string{
			engine.HostVisible.String(): "process memory", engine.DeviceLocal.String(): "process memory",
		},
		Capabilities:      capabilities,
		Microarchitecture: micro,
	}
}

// capabilities follow from how the interpreter is made.
var capabilities = engine.Capabilities{
	SubgroupOperations: engine.Known(true), Shuffle: engine.Known(true),
	Float16: engine.Known(false), BFloat16: engine.Known(false), TensorCores: engine.Known(false),
	AsyncCompute: engine.Known(false), Distributed: engine.Known(false), SpecializationConstants: engine.Known(false),
	IndirectDispatch: engine.Known(true), Speculation: engine.Known(true), PersistentThread: engine.Known(true),
	GridSync: engine.Known(true), NativeGridSync: engine.Known(true), CooperativeWorkgroups: engine.Known(uint32(maxTogether)),
	TrapPropagation: engine.Known(true),
}

// microarchitecture: one instruction serves all lanes of a workgroup in a loop, so nothing is gained by
// unrolling or tiling.
var microarchitecture = engine.Microarchitecture{
	SharedMemory: engine.Known(false), NativeIntBits: engine.Known(uint32(32)), FastHighMultiply: engine.Known(true),
	DualIssue: engine.Known(false), SuggestedUnroll: engine.Known(uint32(1)), VectorWidth: engine.Known(uint32(1)),
	SuggestedTile: engine.Known([2]uint32{1, 1}),
}

// Flush implements engine.Backend.
func (b *Backend) Flush(ctx context.Context) error {
	b.mu.Lock()
	last := b.last
	b.mu.Unlock()
	select {
	case <-last:
		return nil
	case <-ctx.Done():
		return givenUp("flush", ctx)
	}
}

// Close implements engine.Backend.
func (b *Backend) Close() error {
	b.mu.Lock()
	already := b.closed
	b.closed = true
	last := b.last
	b.mu.Unlock()
	if already {
		return closedError("close")
	}
	<-last
	return nil
}

// enqueue puts a dispatch behind the newest one.
func (b *Backend) enqueue(op string, d *Dispatch) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable(op); err != nil {
		return err
	}
	d.before, b.last = b.last, d.turn
	b.under[d] = struct{}{}
	return nil
}

// ended takes a dispatch out of the list.
func (b *Backend) ended(d *Dispatch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.under, d)
}

// usable refuses work after Close and on a lost device. The caller holds b.mu.
func (b *Backend) usable(op string) error {
	switch {
	case b.closed:
		return closedError(op)
	case b.lost:
		return lostError(op)
	}
	return nil
}

func (b *Backend) check(ctx context.Context, op string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.usable(op); err != nil {
		return err
	}
	return givenUp(op, ctx)
}

// givenUp is the error of a context that has ended, else nil.
func givenUp(op string, ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	return &engine.Error{Code: engine.CodeUnknown, Backend: backendName, Op: op, Detail: "given up", Err: cause, Fix: "use a context that lives longer"}
}
