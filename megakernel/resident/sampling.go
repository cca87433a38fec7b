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
	every atomic.Uint32 // of the running slice; one in that many passes, a power of two

	passes uint64 // that had a task, when the rate was last looked at,
	runs   uint64 // and activations
	looked time.Time
	auto   uint32 // what the last look came to; 0 before the first
}

const (
	// logShare is what part of its time a worker may spend on noting its passes.
	logShare = 0.01
	// What noting a pass costs a worker, measured: on the host's processors, and where the log is behind a bus.
	nearPass = 2 * time.Microsecond
	farPass  = 6 * time.Microsecond
	// logRate is how many records a second the host takes without losing any, with room to spare, and records.
	logRate = 5e6
	// farStart is the sampling before the first look where a device may write more in one slice than the log holds.
	farStart = 64
	// sampleSpan is how long passes are counted before the sampling changes.
	sampleSpan = 20 * time.Millisecond
	// unsampled as every means that no pass is noted.
	unsampled = 1 << 31
)

// next returns the sampling of the next slice. c counts what all workers have done so far.
func (l *sampling) next(now *megakernel.Settings, c [megakernel.NumCounters]uint64, near bool) uint32 {
	l.look(c[megakernel.CountClaims], c[megakernel.CountActivations], now.Workers, near)
	every := l.auto
	if every == 0 {
		every = farStart
		if near {
			every = 1
		}
	}
	if now.LogEvery != 0 {
		every = powerOfTwo(uint64(now.LogEvery))
	}
	if now.Log&megakernel.LogSampled == 0 {
		every = unsampled
	}
	l.every.Store(every)
	return every
}

// look measures the passes of a worker and all activations in a second.
func (l *sampling) look(passes, runs uint64, workers int, near bool) {
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
		records := float64(runs-l.runs) / span.Seconds()
		l.auto = powerOfTwo(uint64(max(each*cost.Seconds()/logShare, records/logRate)) + 1)
	}
	l.passes, l.runs, l.looked = passes, runs, time.Now()
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
