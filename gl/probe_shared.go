//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
)

// Words of the ping-pong channel, and its bounds.
const (
	wordPing = 0
	wordLook = 1
	wordPong = 16
	wordBeat = 32

	pingLooks   = 50_000 // of one workgroup
	pingShort   = 4      // rounds with one workgroup before there are more, see round
	pingGroups  = 64
	pingBounces = 1_000
	pingStop    = 0xffffffff
	pingTime    = 120 * time.Millisecond // for all bounces
	pingPatient = 500 * time.Millisecond // for the first one: on a busy host the two sides may not run at the same time for long
)

// pingPong is the host's side of the probe.
type pingPong struct {
	lab      *lab
	words    engine.Words
	deadline time.Time
	next     uint32 // the next value to send
	trips    []float64
	sawBeat  bool // a store that the kernel made before its last one was seen
}

// probePingPong finds whether the host sees the stores of a running dispatch and the kernel the
// host's, and how long a round trip takes. What the kernel stores last proves nothing, so only
// intermediate values count.
func (b *Backend) probePingPong(ctx context.Context) error {
	pp, err := b.pingPong(ctx, "pingpong")
	if err != nil {
		return err
	}
	b.profile.HostSeesDeviceStores = engine.Known(pp.sawBeat || len(pp.trips) > 0)
	b.profile.DeviceSeesHostStores = engine.Known(len(pp.trips) > 0)
	if len(pp.trips) >= pingBounces {
		b.profile.HostDeviceRoundTripNs = engine.Known(median(pp.trips))
	}
	return nil
}

// pingPong bounces values with a kernel that echoes them.
func (b *Backend) pingPong(ctx context.Context, file string) (pp *pingPong, err error) {
	l, err := b.lab(ctx, file, 1, labBuffer{48, engine.HostVisible})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if _, err := l.run(1); err != nil { // no looks: compiles it to the end
		return nil, err
	}
	begin := time.Now()
	pp = &pingPong{lab: l, words: l.buffers[0].Words(), next: 1, deadline: begin.Add(pingPatient)}
	for i := 0; len(pp.trips) < pingBounces && time.Now().Before(pp.deadline); i++ {
		if err := pp.round(i); err != nil {
			return nil, err
		}
		if len(pp.trips) > 0 {
			pp.deadline = begin.Add(pingTime)
		}
	}
	return pp, nil
}

// round bounces until enough trips are measured, the kernel has spent its looks, or the time is up.
// It starts from equal words, or the kernel would echo a value that was sent before it ran.
//
// One workgroup looks for 0.5 ms on llvmpipe. On a busy host that is less than the time for which the
// scheduler may take the watching thread off its core to run the kernel there, so when the first
// rounds did not do it a row of workgroups stays for longer, one after the other.
func (pp *pingPong) round(i int) error {
	pp.words.Store(wordPing, 0)
	pp.words.Store(wordPong, 0)
	pp.words.Store(wordBeat, 0)
	pp.words.Store(wordLook, pingLooks)
	groups := uint32(1)
	if i >= pingShort {
		groups = pingGroups
	}
	p, err := pp.lab.start(groups)
	if err != nil {
		return err
	}
	if pp.await(p, wordBeat, 0, false) {
		for len(pp.trips) < pingBounces && pp.bounce(p) {
		}
	}
	pp.words.Store(wordPing, pingStop)
	_, err = p.Wait(pp.lab.ctx)
	return err
}

// bounce sends one value and waits for its echo.
func (pp *pingPong) bounce(p engine.Pending) bool {
	v := pp.next
	pp.next++
	begin := time.Now()
	pp.words.Store(wordPing, v)
	if !pp.await(p, wordPong, v, true) {
		return false
	}
	pp.trips = append(pp.trips, float64(time.Since(begin).Nanoseconds()))
	return true
}

// checkEvery is how many looks at a word go by between looks at the dispatch and the time.
const checkEvery = 256

// await watches a word until it equals v (or, with equal false, differs from it) while the kernel
// runs. It never blocks, so that no scheduling delay is measured.
func (pp *pingPong) await(p engine.Pending, word int, v uint32, equal bool) bool {
	for k := 1; ; k++ {
		if (pp.words.Load(word) == v) == equal {
			beat := pp.words.Load(wordBeat) // what a workgroup stores last is above pingLooks
			pp.sawBeat = pp.sawBeat || beat > 0 && beat <= pingLooks
			return true
		}
		if k%checkEvery != 0 {
			continue
		}
		select {
		case <-p.Done():
			return false
		default:
			if time.Now().After(pp.deadline) {
				return false
			}
		}
	}
}
