package resident

import (
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

// launch is what a session was launched with, and where that is in memory. Nothing of it changes after Start, so every
// part of the session reads it without a lock.
type launch struct {
	backend  engine.Backend
	profile  engine.DeviceProfile
	kernel   *kernel.Kernel
	options  Options
	limits   limits
	started  time.Time
	events   func(kind, text string)
	bindings []engine.Binding
	buffers  map[string]engine.Buffer
	texts    *texts // what handlers run

	control, ring, log, inbox, outbox, workers engine.Words
}

// Target describes what runs, for inspectors and recordings.
func (l *launch) Target() megakernel.Target {
	id := l.backend.Identity()
	return megakernel.Target{
		Workload: l.kernel.Config.Name, Backend: id.Name, Renderer: id.Renderer, Driver: id.Driver,
		MaxWorkers: megakernel.MaxWorkers, WorkgroupSize: l.kernel.Config.WorkgroupSize, MaxLanes: l.mostLanes(),
		Slots: l.kernel.Config.Slots, Formats: l.formats(), Opcodes: opcodesOf(l.text()), Reloads: l.texts.reloads(),
		Clock:    l.kernel.ClockName(),
		Label:    l.options.Label,
		Protocol: megakernel.ProtocolVersion, Started: l.started, Buffers: l.Buffers(),
		Device: deviceFacts(&l.profile), Kernel: kernelText(l),
	}
}

// opcodesOf are the names of a kernel's handlers.
func opcodesOf(k *kernel.Kernel) map[uint32]string {
	ops := map[uint32]string{}
	for _, h := range k.Config.Handlers {
		ops[h.Opcode] = h.Name
	}
	return ops
}

// kernelText is what the kernel of the launch was assembled from, packed once.
func kernelText(l *launch) []byte {
	l.texts.packing.Do(func() { l.texts.packed = packedText(l, l.kernel) })
	return l.texts.packed
}

// packedText is what a kernel was assembled from, with its own files, so that other versions of vyretop can debug its tasks, packed;
// an error is told as an event.
func packedText(l *launch, k *kernel.Kernel) []byte {
	text, err := k.Text()
	if err == nil {
		text, err = text.WithOwn()
	}
	if err != nil {
		l.events("error", err.Error())
		return nil
	}
	packed, err := text.Pack()
	if err != nil {
		l.events("error", err.Error())
	}
	return packed
}

func deviceFacts(p *engine.DeviceProfile) megakernel.DeviceFacts {
	atOnce := p.ConcurrentWorkgroups
	if p.HostThreads.Or(0) > 0 { // groups that are resident at once take turns on these
		atOnce = p.HostThreads
	}
	return megakernel.DeviceFacts{
		VectorWidth: int(p.VectorWidth.Or(p.SubgroupSize.Or(0))), ComputeUnits: int(p.ComputeUnits.Or(0)),
		AtOnce: int(atOnce.Or(0)), Software: p.SoftwareDevice.Or(false), MemoryBytes: p.DeviceMemoryBytes.Or(0),
	}
}

// Buffer returns the mapped words of one of the workload's buffers, or nil when there is none of
// that name or it is not host-visible.
func (l *launch) Buffer(name string) engine.Words {
	if b, ok := l.buffers[name]; ok {
		return b.Words()
	}
	return nil
}

// Log returns a new reader of the debug log, from the oldest record still there.
func (l *launch) Log() (*megakernel.LogReader, error) { return megakernel.NewLogReader(l.log) }
