package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/recommend"
)

// Mode says when a run's kernel is specialized for the opcodes that most activations are of.
type Mode string

// The modes. Their names are those of the launch policy, and auto follows it.
const (
	Interpreter Mode = "interpreter" // never, as ""
	JIT         Mode = "jit"         // as soon as it is known which opcodes are hot
	Auto        Mode = "auto"        // when the policy recommends it, in runs that last
)

// Modes are the names of the modes.
var Modes = []string{string(Auto), string(Interpreter), string(JIT)}

// hotShare is the share of all activations that the hot opcodes must have had.
const hotShare = 0.9

// How long activations are counted at a time, and how many counts an automatic change waits for: compiling a
// kernel pauses the run, which does not pay in one that ends soon.
const (
	hotWindow   = time.Second
	autoWindows = 10
)

// specialisable is what of a session a specializer needs.
type specialisable interface {
	Snapshot() *megakernel.Snapshot
	Specialize(ctx context.Context, hot ...uint32) error
	Hot() []uint32
}

// specializer watches which opcodes are hot, has the kernel specialized for them, and takes that back when it
// does not make the run faster. One goroutine calls window at the end of each hotWindow.
type specializer struct {
	target  specialisable
	config  kernel.Config
	profile json.RawMessage
	mode    Mode
	events  func(kind, text string)

	last    *megakernel.Snapshot
	windows int
	skip    bool     // the window had a compilation in it
	before  float64  // activations a second in the window before the kernel was specialized
	tried   []uint32 // opcodes for which it was
}

// run ends with ctx.
func (z *specializer) run(ctx context.Context) {
	tick := time.NewTicker(hotWindow)
	defer tick.Stop()
	for z.mode == JIT || z.mode == Auto {
		select {
		case <-tick.C:
			z.window(ctx, z.target.Snapshot())
		case <-ctx.Done():
			return
		}
	}
}

// window takes the snapshot at the end of a window.
func (z *specializer) window(ctx context.Context, now *megakernel.Snapshot) {
	last := z.last
	z.last = now
	z.windows++
	if last == nil || z.skip {
		z.skip = false
		return
	}
	done := now.Counters[megakernel.CountActivations] - last.Counters[megakernel.CountActivations]
	rate := float64(done) / max((now.Taken-last.Taken).Seconds(), 1e-9)
	if z.before > 0 {
		z.judge(ctx, rate)
		return
	}
	if special, ok := z.config.Specialize(activationsByOpcode(now, last), done, int(policy.StandardPolicy().HotOpcodes), hotShare); ok && z.wanted(now, last, special.Hot) {
		z.change(ctx, rate, special.Hot)
	}
}

// wanted reports whether the kernel should be specialized for these opcodes.
func (z *specializer) wanted(now, last *megakernel.Snapshot, hot []uint32) bool {
	if slices.Equal(hot, z.tried) || z.mode == Auto && z.windows <= autoWindows {
		return false
	}
	if z.mode == JIT {
		return true
	}
	r, err := recommend.FromSnapshots(z.profile, now, last, nil)
	if err != nil {
		return false
	}
	p := policy.StandardPolicy()
	rec, err := p.Recommend(&r, policy.NoTopology)
	return err == nil && rec.Mode == policy.Jit
}

func (z *specializer) change(ctx context.Context, rate float64, hot []uint32) {
	z.tried = hot
	if err := z.target.Specialize(ctx, hot...); err != nil {
		z.events("error", err.Error())
		return
	}
	z.before, z.skip = rate, true
}

// judge compares the first whole window with the new kernel.
func (z *specializer) judge(ctx context.Context, rate float64) {
	gain := rate / z.before
	text := fmt.Sprintf("specialized for opcodes %v: %.3g activations/s, before %.3g (%.2fx)", z.tried, rate, z.before, gain)
	if gain < 1 {
		text += "; taken back"
		if err := z.target.Specialize(ctx); err != nil {
			z.events("error", err.Error())
		}
		z.skip = true
	}
	z.before = 0
	z.events("specialise", text)
}

// activationsByOpcode counts those between two snapshots. The words wrap around; a window is too short for
// that to happen twice.
func activationsByOpcode(now, last *megakernel.Snapshot) (n [megakernel.MetricOpcodes]uint64) {
	for i := range n {
		n[i] = uint64(now.Control[megakernel.CtrlMetrics0+i] - last.Control[megakernel.CtrlMetrics0+i])
	}
	return n
}
