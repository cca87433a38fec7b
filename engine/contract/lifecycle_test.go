package contract

import (
	"testing"

	"vyretop/engine"
)

func lifecycle(t testing.TB, b device) engine.Lifecycle {
	t.Helper()
	l, ok := b.(engine.Lifecycle)
	if !ok {
		t.Fatal("the backend has no lifecycle")
	}
	return l
}

// TestPrepare warms a backend up; it works before and after.
func TestPrepare(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		check(t, lifecycle(t, b).Prepare(within(t)))
		p := compile(t, b, "step", step)
		buf := allocate(t, b, 1)
		pending, err := p.Start(within(t), bind(buf), row(1))
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
	})
}

// TestFlush returns when everything started before has ended, and not sooner.
func TestFlush(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "step", step)
		buf := allocate(t, b, 0)
		check(t, b.Flush(within(t)))
		h := newHolder(t, b)
		h.start(t, engine.DispatchConfig{})
		last, err := p.Start(within(t), bind(buf), row(1))
		check(t, err)
		flushed := make(chan error, 1)
		go func() { flushed <- b.Flush(within(t)) }()
		select {
		case <-flushed:
			t.Error("flushed under a running kernel")
		case <-last.Done():
			t.Error("the last dispatch has overtaken the first")
		default:
		}
		h.stop()
		check(t, <-flushed)
		select {
		case <-last.Done():
		default:
			t.Error("flushed before the last dispatch had ended")
		}
	})
}

// TestShutdown: after Close every call is an error.
func TestShutdown(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "step", step)
		buf := allocate(t, b, 1)
		check(t, b.Close())
		_, started := p.Start(within(t), bind(buf), row(1))
		_, compiled := b.Compile(within(t), p.Program())
		_, allocated := b.Allocate(within(t), "late", 1, engine.HostVisible)
		_, recovered := lifecycle(t, b).Recover(within(t))
		for what, err := range map[string]error{
			"start": started, "compile": compiled, "allocate": allocated, "close": b.Close(), "recover": recovered,
			"upload": buf.Upload(within(t), 0, []uint32{1}), "download": buf.Download(within(t), 0, []uint32{1}),
			"prepare": lifecycle(t, b).Prepare(within(t)),
		} {
			wants(t, what, err, engine.ErrPoisoned)
		}
	})
}

// TestDeviceLost simulates a loss under a running kernel: that and everything after ends in the same
// error, until the device is recovered; what was on it is gone for ever.
func TestDeviceLost(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		l := lifecycle(t, b)
		check(t, l.Lost())
		_, err := l.Recover(within(t))
		wants(t, "recovery of what is not lost", err, engine.ErrInvalidProgram)
		p := compile(t, b, "step", step)
		old := allocate(t, b, 7)
		l.SimulateLoss()
		pending, err := p.Start(within(t), bind(old), row(1))
		if err == nil {
			_, err = pending.Wait(within(t))
		}
		wants(t, "dispatch", err, engine.ErrDeviceLost)
		_, err = b.Allocate(within(t), "late", 1, engine.HostVisible)
		wants(t, "allocate", err, engine.ErrDeviceLost)
		_, err = b.Compile(within(t), p.Program())
		wants(t, "compile", err, engine.ErrDeviceLost)
		wants(t, "why it is lost", l.Lost(), engine.ErrDeviceLost)

		r, err := l.Recover(within(t))
		check(t, err)
		if r != (engine.Recovery{Buffers: 1, Pipelines: 1}) {
			t.Errorf("recovery %+v", r)
		}
		check(t, l.Lost())
		_, err = p.Start(within(t), bind(allocate(t, b, 1)), row(1))
		wants(t, "an old pipeline", err, engine.ErrPoisoned)
		fresh := compile(t, b, "step", step)
		_, err = fresh.Start(within(t), bind(old), row(1))
		wants(t, "an old buffer", err, engine.ErrPoisoned)
		wants(t, "freeing an old buffer", old.Free(), engine.ErrPoisoned)
		wants(t, "closing an old pipeline", p.Close(), engine.ErrPoisoned)
		if old.Words() != nil {
			t.Error("an old buffer is still mapped")
		}
		buf := allocate(t, b, 7)
		again, err := fresh.Start(within(t), bind(buf), row(1))
		check(t, err)
		_, err = again.Wait(within(t))
		check(t, err)
		same(t, "output after the recovery", contents(t, buf), []uint32{36})
	})
}
