//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
)

// Bounds of the measurement of one class. The buffer is larger than the caches of the devices known;
// the hops of the accesses one after the other leave a cache line, and a page, each time.
const (
	memoryWords   = 1 << 24 // 64 MiB
	memoryPlaces  = memoryWords / 4
	memoryHop     = 4099
	memorySteps   = 1 << 13 // below every known limit of loop iterations
	memoryGroups  = 2048
	memoryRepeats = 3
	memoryLimit   = 2 * time.Minute // for a device that hangs: half a second is usual, ten are possible on a busy host
	memoryCopies  = 16              // of one word, where each is a call
	memoryTrips   = 100             // round trips at least; on a busy host the two sides seldom run at the same time
)

// Settings of probes/memory.comp, and its ways.
const (
	memorySettings = 4
	wayFollow      = 0
	wayLeave       = 1
	wayRead        = 2
	wayWrite       = 3
)

// MeasureMemory measures how host and device reach each class of buffer, in about a second. What
// failed is absent, and a message says why.
func (b *Backend) MeasureMemory(ctx context.Context) []Memory {
	var out []Memory
	for _, class := range []engine.Placement{engine.HostVisible, engine.DeviceLocal} {
		m := Memory{Class: class.String(), Placement: b.placements()[class.String()]}
		err := b.measureClass(ctx, class, &m)
		if err == nil && class == engine.HostVisible {
			m.RoundTripNs, err = b.roundTrip(ctx)
		}
		if err != nil {
			b.messages.add(Message{Source: "probe", Severity: "medium", Text: "memory, " + m.Class + ": " + err.Error()})
		}
		out = append(out, m)
	}
	return out
}

// roundTrip is the median time in which a kernel that does nothing else echoes a store of the host.
func (b *Backend) roundTrip(ctx context.Context) (engine.Optional[float64], error) {
	pp, err := b.pingPong(ctx, "echo")
	if err != nil || len(pp.trips) < memoryTrips {
		return engine.Optional[float64]{}, err
	}
	return engine.Known(median(pp.trips)), nil
}

func (b *Backend) measureClass(ctx context.Context, class engine.Placement, m *Memory) (err error) {
	ctx, cancel := context.WithTimeout(ctx, memoryLimit)
	defer cancel()
	l, err := b.lab(ctx, "memory", 64, labBuffer{memoryWords, class}, labBuffer{memorySettings, engine.HostVisible})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	image := hops()
	bulk, err := hostMoves(ctx, l.buffers[0], image)
	if err != nil {
		return err
	}
	m.HostWrite.MBPerS, m.HostRead.MBPerS = engine.Known(bulk.write), engine.Known(bulk.read)
	single, err := hostWords(ctx, l.buffers[0])
	if err != nil {
		return err
	}
	m.HostWrite.NsPerWord, m.HostRead.NsPerWord = engine.Known(single.write), engine.Known(single.read)
	return deviceMoves(l, m)
}

// hops is a buffer in which each place says where the next one is.
func hops() []uint32 {
	w := make([]uint32, memoryWords)
	for at := range memoryPlaces {
		w[4*at] = uint32((at + memoryHop) % memoryPlaces)
	}
	return w
}

// moves is the cost of writing and of reading, in one unit.
type moves struct{ write, read float64 }

// hostMoves copies all of a buffer in and out and gives the best rates in MB/s. The image is in the
// buffer afterwards.
func hostMoves(ctx context.Context, buf engine.Buffer, image []uint32) (moves, error) {
	back := make([]uint32, len(image))
	write, err := shortest(func() error { return buf.Upload(ctx, 0, image) })
	if err != nil {
		return moves{}, err
	}
	read, err := shortest(func() error { return buf.Download(ctx, 0, back) })
	return moves{megabytes(write), megabytes(read)}, err
}

// hostWords goes from place to place through the mapping, or by calls where there is none, and gives
// nanoseconds a word. It keeps what is in the buffer.
func hostWords(ctx context.Context, buf engine.Buffer) (moves, error) {
	w := buf.Words()
	if w == nil {
		return hostCalls(ctx, buf)
	}
	at := 0
	read, err := shortest(func() error {
		for range memorySteps {
			at = 4 * int(w.Load(at))
		}
		return nil
	})
	if err != nil {
		return moves{}, err
	}
	write, err := shortest(func() error {
		for i := range memorySteps {
			w.Store(4*(i*memoryHop%memoryPlaces)+1, uint32(i))
		}
		return nil
	})
	return moves{perStep(write, memorySteps), perStep(read, memorySteps)}, err
}

func hostCalls(ctx context.Context, buf engine.Buffer) (moves, error) {
	var word [1]uint32
	each := func(f func(at int) error) func() error {
		return func() error {
			for i := range memoryCopies {
				if err := f(4*(i*memoryHop%memoryPlaces) + 1); err != nil {
					return err
				}
			}
			return nil
		}
	}
	write, err := shortest(each(func(at int) error { return buf.Upload(ctx, at, word[:]) }))
	if err != nil {
		return moves{}, err
	}
	read, err := shortest(each(func(at int) error { return buf.Download(ctx, at, word[:]) }))
	return moves{perStep(write, memoryCopies), perStep(read, memoryCopies)}, err
}

// deviceMoves does the same from the device. Following the hops comes first: the rest overwrites them.
func deviceMoves(l *lab, m *Memory) error {
	for _, way := range []struct {
		way    uint32
		access *Access
	}{{wayFollow, &m.DeviceRead}, {wayLeave, &m.DeviceWrite}} {
		none, err := timeWay(l, way.way, 0, 1)
		if err != nil {
			return err
		}
		some, err := timeWay(l, way.way, memorySteps, 1)
		if err != nil {
			return err
		}
		way.access.NsPerWord = engine.Known(perStep(max(some-none, 0), memorySteps))
	}
	for _, way := range []struct {
		way    uint32
		access *Access
	}{{wayRead, &m.DeviceRead}, {wayWrite, &m.DeviceWrite}} {
		took, err := timeWay(l, way.way, 0, memoryGroups)
		if err != nil {
			return err
		}
		way.access.MBPerS = engine.Known(megabytes(took))
	}
	return nil
}

// timeWay runs one way and returns its shortest time, by the device's clock where it has one.
func timeWay(l *lab, way, steps, groups uint32) (best time.Duration, err error) {
	if err := l.buffers[1].Upload(l.ctx, 0, []uint32{way, steps, memoryHop, 0}); err != nil {
		return 0, err
	}
	for i := range memoryRepeats {
		t, err := l.run(groups)
		if err != nil {
			return 0, err
		}
		if d := t.Device.Or(t.Wall.Or(0)); i == 0 || d < best {
			best = d
		}
	}
	return best, nil
}

// shortest is the shortest time of a few tries.
func shortest(f func() error) (best time.Duration, err error) {
	for i := range memoryRepeats {
		began := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		if d := time.Since(began); i == 0 || d < best {
			best = d
		}
	}
	return best, nil
}

// megabytes is the rate of moving the whole buffer, in whole MB/s.
func megabytes(took time.Duration) float64 {
	return float64(int64(4 * memoryWords / max(took.Seconds(), 1e-9) / 1e6))
}

// perStep is nanoseconds a step, in tenths.
func perStep(took time.Duration, steps int) float64 {
	return float64(10*took.Nanoseconds()/int64(steps)) / 10
}
