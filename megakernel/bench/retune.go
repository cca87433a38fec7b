package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// unseenHandler has another constant in each run, so that no driver has compiled it before.
const unseenHandler = `
void bench_unseen(inout Task t) { t.output_handle = t.param ^ %du; task_yield(t, 0u, t.continuation_data + 1u); }
`

// retuneLanes changes the workgroup size of a kernel that nothing has compiled before, while its workers are busy. It does so once:
// of the same text the driver may have kept what it compiled.
func retuneLanes(r *suite, ctx context.Context, share time.Duration, t *tally) error {
	if len(t.took) > 0 {
		return nil
	}
	s := r.shape
	return r.session(ctx, share, t, trial{shape: s, opcode: opOther, unseen: 1 + rand.Uint32N(1<<31), run: func(ctx context.Context, session *resident.Session) error {
		before := activationsOver(ctx, session, steadyTime)
		began, done := time.Now(), activationsOf(session)
		if err := applyWorkgroup(ctx, session, max(s.lanes/2, 1)); err != nil {
			return err
		}
		took := time.Since(began)
		t.took = append(t.took, took)
		during := float64(activationsOf(session)-done) / took.Seconds()
		t.count("rate_during_percent", 100*during/before)
		began = time.Now()
		if err := applyWorkgroup(ctx, session, s.lanes); err != nil {
			return err
		}
		t.count("back_ms", float64(time.Since(began).Microseconds())/1e3)
		return nil
	}})
}

// steadyTime is how long a rate is taken before something changes.
const steadyTime = 500 * time.Millisecond

func activationsOf(s *resident.Session) uint64 {
	return s.Summary().Counters[megakernel.CountActivations]
}

// activationsOver is the rate of activations during a time.
func activationsOver(ctx context.Context, s *resident.Session, d time.Duration) float64 {
	began, before := time.Now(), activationsOf(s)
	_ = sleep(ctx, d)
	return float64(activationsOf(s)-before) / time.Since(began).Seconds()
}

// applyWorkgroup changes the workgroup size and waits until it is in force, also where that takes longer than a caller waits for the
// driver's compiler.
func applyWorkgroup(ctx context.Context, s *resident.Session, size int) error {
	_, err := s.Apply(ctx, megakernel.Setting{ID: megakernel.WorkgroupSetting, Value: int64(size)})
	var late *resident.CompilingError
	if !errors.As(err, &late) {
		return err
	}
	for s.Workgroup() != size {
		if err := sleep(ctx, time.Millisecond); err != nil {
			return err
		}
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// sumRetune gives the time in milliseconds.
func sumRetune(t *tally) Metric {
	if len(t.took) == 0 {
		return tooShort()
	}
	m := Metric{Value: engine.Known(round(float64(t.took[0].Microseconds()) / 1e3)), N: int64(len(t.took))}
	for name, v := range t.counts {
		m.also(name, v)
	}
	return m
}
