package resident

import (
	"math/bits"
	"sync/atomic"
	"time"

	"vyretop/megakernel"
)

// sampling chooses in which scheduling passes the kernel notes how activations ended. Its methods are for the slicer,
// except for reading every.
type sampling struct {
	every atomic.Uint32 // of the running slice; one in so many passes, a power of two

	passes uint64 // that had a task, when the rate was last looked at
	looked time.Time
	auto   uint32 // what the last look came to; 0 before the first
}

const (
	// logShare is what part of its time a worker may spend on noting its passes.
	logShare = 0.01
	// What noting a pass costs a worker, measured: on the host's processors, and where the log is behind a bus.
	nearPass = 2 * time.Microsecond
	farPass  = 6 * time.Microsecond
	// sampleSpan is how long passes are counted before the sampling changes.
	sampleSpan = 20 * time.Millisecond
	// unsampled as every means that no pass is noted.
	unsampled = 1 << 31
)

// next returns the sampling of the next slice. passes is how many all workers have made so far.
func (l *sampling) next(now *megakernel.Settings, passes uint64, near bool) uint32 {
	l.look(passes, now.Workers, near)
	every := max(l.auto, 1)
	if now.LogEvery != 0 {
		every = powerOfTwo(uint64(now.LogEvery))
	}
	if now.Log&megakernel.LogSampled == 0 {
		every = unsampled
	}
	l.every.Store(every)
	return every
}

// look measures the passes of a worker in a second.
func (l *sampling) look(passes uint64, workers int, near bool) {
	span := time.Since(l.looked)
	if span < sampleSpan {
		return
	}
	if !l.looked.IsZero() {
		each := float64(passes-l.passes) / span.Seconds() / float64(max(workers, 1))
		cost := farPass
		if near {
			cost = nearPass
		}
		l.auto = powerOfTwo(uint64(each*cost.Seconds()/logShare) + 1)
	}
	l.passes, l.looked = passes, time.Now()
}

// powerOfTwo rounds up, to MaxLogEvery at most.
func powerOfTwo(n uint64) uint32 {
	if n >= megakernel.MaxLogEvery {
		return megakernel.MaxLogEvery
	}
	return 1 << bits.Len64(max(n, 1)-1)
}

// setLogOpcodes writes the settings of the opcodes that the log is restricted to.
func setLogOpcodes(settings []uint32, opcodes [megakernel.LogOpcodes]int64) {
	n := uint32(0)
	for _, op := range opcodes {
		if op > 0 {
			n++
			settings[n] = uint32(op - 1)
		}
	}
	for i := n; n > 0 && i < megakernel.LogOpcodes; i++ {
		settings[1+i] = settings[1]
	}
	settings[0] = n
}
