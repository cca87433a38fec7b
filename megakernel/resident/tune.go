package resident

import (
	"context"
	"sync"
	"sync/atomic"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// tuning is what of a session can be changed while it runs. The settings of tenants are not kept here:
// they are words of the control buffer.
type tuning struct {
	mu        sync.Mutex
	now, next megakernel.Settings
	most      int // workers of the widest slice so far

	asked atomic.Uint64 // number of the last change of shape that was asked for

	turn    sync.Mutex            // held while settings are changed, from reading the old ones on
	history [][]megakernel.Change // guarded by turn
}

// maxHistory bounds the changes that can be undone.
const maxHistory = 256

// initial is the settings of the first slice.
func (o *Options) initial() megakernel.Settings {
	return megakernel.Settings{
		Workers: o.Workers, Lanes: o.Lanes, Slice: o.SliceTime,
		PriorityOffset: o.PriorityOffset, Aging: o.Aging, Starvation: o.Starvation, Burst: o.Burst,
		Log: o.Log & megakernel.LogAll, LogEvery: o.LogEvery &^ AutoLog, LogOpcodes: o.LogOpcodes,
	}
}

// inForce is the settings of the running slice, without those of tenants.
func (t *tuning) inForce() megakernel.Settings {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// pending reports whether the next slice has other settings than the last.
func (t *tuning) pending() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now != t.next
}

// Settings returns the settings in force.
func (s *Session) Settings() megakernel.Settings {
	now := s.tuning.inForce()
	now.LogSampling = s.sampling.every.Load()
	now.Workgroup = s.Workgroup()
	for t := range megakernel.Tenants {
		now.TenantMask[t] = s.control.Load(megakernel.CtrlTenantMask0+t) != 0
		now.TenantQuota[t] = s.control.Load(megakernel.CtrlTenantQuota0 + t)
	}
	return now
}

// Apply changes settings of the running megakernel, all of the list or none, and returns when they are
// in force with what they replaced. No task is lost or run twice. A setting that the target cannot have
// is megakernel.ErrSetting or ErrOption and changes nothing.
//
// A megakernel that is draining, parked or paused takes settings too, and continues draining or pausing;
// one that has stopped or is stopping refuses them with ErrStopped. When ctx ends first the settings are
// still made, and can be undone: a CompilingError where that waits for a kernel variant with another workgroup size, unless
// the shape is set again in the meantime. One that cannot be compiled is ErrVariant, and the one in force keeps running.
func (s *Session) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	asked := s.askShape(list)
	if err := s.readyWorkgroup(ctx, list); err != nil {
		return nil, s.applyLater(err, asked, list)
	}
	s.tuning.turn.Lock()
	defer s.tuning.turn.Unlock()
	changes, err := s.apply(ctx, list)
	if len(changes) > 0 {
		h := append(s.tuning.history, changes)
		s.tuning.history = h[max(0, len(h)-maxHistory):]
	}
	return changes, err
}

// Undo takes the last changes back that were made with one Apply or Retune and have not been undone
// yet. Where a setting has another value by now, because somebody wrote the control words, nothing is
// undone: ErrUndo.
func (s *Session) Undo(ctx context.Context) ([]megakernel.Change, error) {
	s.tuning.turn.Lock()
	defer s.tuning.turn.Unlock()
	if err := s.usable("undo"); err != nil {
		return nil, err
	}
	last := len(s.tuning.history) - 1
	if last < 0 {
		return nil, &fault.Error{Kind: ErrUndo, Op: "undo", Detail: "no setting was changed since the start, or all changes are undone", Fix: "change a setting"}
	}
	changes := s.tuning.history[last]
	now := s.Settings()
	var back []megakernel.Setting
	for _, c := range changes {
		if got := now.Get(c.ID, c.Index); got != c.Value {
			return nil, overwritten(&c, got)
		}
		back = append(back, megakernel.Setting{ID: c.ID, Index: c.Index, Value: c.Old})
	}
	undone, err := s.apply(ctx, back)
	if len(undone) > 0 {
		s.tuning.history = s.tuning.history[:last]
	}
	return undone, err
}

// apply is Apply without the history; it returns the changes that were made, also beside an error.
func (s *Session) apply(ctx context.Context, list []megakernel.Setting) ([]megakernel.Change, error) {
	if err := s.usable("retune"); err != nil {
		return nil, err
	}
	before := s.Settings()
	want, list, err := s.wantedSettings(&before, list)
	if err != nil {
		return nil, err
	}
	if err := s.compileWorkgroup(ctx, want.Workgroup); err != nil { // before anything is changed: it may be impossible
		return nil, err
	}
	changes := differences(list, &before, &want)
	if len(changes) == 0 {
		return nil, nil
	}
	for _, c := range changes {
		s.events("retune", c.String())
	}
	err = s.reshape(ctx, &before, &want)
	if err == nil {
		err = s.retenant(ctx, &before, &want)
	}
	return changes, err
}

// differences lists what really changes, in the order of the list; of a setting that is set several times
// the last one counts.
func differences(list []megakernel.Setting, before, want *megakernel.Settings) (out []megakernel.Change) {
	told := map[megakernel.Setting]bool{}
	for _, x := range list {
		x.Value = want.Get(x.ID, x.Index)
		if old := before.Get(x.ID, x.Index); old != x.Value && !told[x] {
			out = append(out, megakernel.Change{Setting: x, Old: old})
		}
		told[x] = true
	}
	return out
}

// checkSettings finds what this device cannot do.
func (l *launch) checkSettings(want *megakernel.Settings) error {
	if err := l.checkWorkgroup(want.Workgroup); err != nil {
		return err
	}
	if err := checkShape(megakernel.Shape{Workers: want.Workers, Lanes: want.Lanes}, want.Workgroup, l.profile); err != nil {
		return err
	}
	return checkSlice(want.Slice, l.profile)
}

// reslice has the next slice use other settings, and waits for it.
func (s *Session) reslice(ctx context.Context, want *megakernel.Settings) error {
	next := *want
	next.LogSampling, next.Workgroup = 0, 0
	next.TenantMask, next.TenantQuota = [megakernel.Tenants]bool{}, [megakernel.Tenants]uint32{}
	s.tuning.mu.Lock()
	same := s.tuning.now == next && s.tuning.next == next
	s.tuning.next = next
	s.tuning.mu.Unlock()
	if same {
		return nil
	}
	s.endSlice()
	s.wakeUp()
	return s.await(ctx, "retune", func() bool { return !s.tuning.pending() })
}

// retenant writes the words of tenants and has the kernel read them.
func (s *Session) retenant(ctx context.Context, before, want *megakernel.Settings) error {
	if before.TenantMask == want.TenantMask && before.TenantQuota == want.TenantQuota {
		return nil
	}
	for t := range megakernel.Tenants {
		mask := uint32(0)
		if want.TenantMask[t] {
			mask = ^uint32(0)
		}
		s.control.Store(megakernel.CtrlTenantMask0+t, mask)
		s.control.Store(megakernel.CtrlTenantQuota0+t, want.TenantQuota[t])
	}
	_, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpRefreshTenants})
	return err
}

// Retune changes the number of workers and lanes, as Apply does; 0 leaves one as it is.
func (s *Session) Retune(ctx context.Context, shape megakernel.Shape) error {
	var list []megakernel.Setting
	if shape.Workers != 0 {
		list = append(list, megakernel.Setting{ID: megakernel.WorkersSetting, Value: int64(shape.Workers)})
	}
	if shape.Lanes != 0 {
		list = append(list, megakernel.Setting{ID: megakernel.LanesSetting, Value: int64(shape.Lanes)})
	}
	_, err := s.Apply(ctx, list...)
	return err
}

// Shape returns the shape of the running slice.
func (s *Session) Shape() megakernel.Shape {
	now := s.tuning.inForce()
	return megakernel.Shape{Workers: now.Workers, Lanes: now.Lanes}
}

// urgency packs the ready set of each priority into four bits each.
func urgency(offsets [tasks.NumPriorities]int8) (packed uint32) {
	for p, offset := range offsets {
		set := min(max(p+int(offset), 0), tasks.NumPriorities-1)
		packed |= uint32(set) << (4 * p)
	}
	return packed
}
