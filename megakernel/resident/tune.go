package resident

import (
	"context"
	"sync/atomic"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// tuning is what of a session can be changed while it runs. The settings of tenants are not kept here:
// they are words of the control buffer.
type tuning struct {
	*life
	forms     *forms     // have the workgroup size
	commander *commander // has the kernel read the words of tenants

	now, next atomic.Pointer[megakernel.Settings] // of the running slice, set by the slicer; of the one after it, set by the holder of turn
	most      atomic.Int32                        // workers of the widest slice so far
	sampling  sampling

	asked atomic.Uint64 // number of the last change of shape that was asked for

	turn    lock[turnRank]        // held while settings are changed, from reading the old ones on
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
func (t *tuning) inForce() megakernel.Settings { return *t.now.Load() }

// pending reports whether the next slice has other settings than the last.
func (t *tuning) pending() bool { return *t.now.Load() != *t.next.Load() }

// take brings the settings of the next slice into force and returns them with those before. It is the slicer's.
func (t *tuning) take() (before, now megakernel.Settings) {
	before = *t.now.Load()
	next := t.next.Load()
	t.now.Store(next)
	t.most.Store(max(t.most.Load(), int32(next.Workers)))
	return before, *next
}

// Settings returns the settings in force.
func (t *tuning) Settings() megakernel.Settings {
	now := t.inForce()
	now.LogSampling = t.sampling.every.Load()
	now.Workgroup = t.forms.Workgroup()
	for id := range megakernel.Tenants {
		now.TenantMask[id] = t.control.Load(megakernel.CtrlTenantMask0+id) != 0
		now.TenantQuota[id] = t.control.Load(megakernel.CtrlTenantQuota0 + id)
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
func (t *tuning) Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	asked := t.askShape(list)
	if err := t.readyWorkgroup(ctx, list); err != nil {
		return nil, t.applyLater(err, asked, list)
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	changes, err := t.apply(ctx, list)
	if len(changes) > 0 {
		h := append(t.history, changes)
		t.history = h[max(0, len(h)-maxHistory):]
	}
	return changes, err
}

// Undo takes the last changes back that were made with one Apply or Retune and have not been undone
// yet. Where a setting has another value by now, because somebody wrote the control words, nothing is
// undone: ErrUndo.
func (t *tuning) Undo(ctx context.Context) ([]megakernel.Change, error) {
	t.turn.Lock()
	defer t.turn.Unlock()
	if err := t.usable("undo"); err != nil {
		return nil, err
	}
	last := len(t.history) - 1
	if last < 0 {
		return nil, &fault.Error{Kind: ErrUndo, Op: "undo", Detail: "no setting was changed since the start, or all changes are undone", Fix: "change a setting"}
	}
	changes := t.history[last]
	now := t.Settings()
	var back []megakernel.Setting
	for _, c := range changes {
		if got := now.Get(c.ID, c.Index); got != c.Value {
			return nil, overwritten(&c, got)
		}
		back = append(back, megakernel.Setting{ID: c.ID, Index: c.Index, Value: c.Old})
	}
	undone, err := t.apply(ctx, back)
	if len(undone) > 0 {
		t.history = t.history[:last]
	}
	return undone, err
}

// apply is Apply without the history; it returns the changes that were made, also beside an error.
func (t *tuning) apply(ctx context.Context, list []megakernel.Setting) ([]megakernel.Change, error) {
	if err := t.usable("retune"); err != nil {
		return nil, err
	}
	before := t.Settings()
	want, list, err := t.wantedSettings(&before, list)
	if err != nil {
		return nil, err
	}
	if err := t.forms.compileWorkgroup(ctx, want.Workgroup); err != nil { // before anything is changed: it may be impossible
		return nil, err
	}
	changes := differences(list, &before, &want)
	if len(changes) == 0 {
		return nil, nil
	}
	for _, c := range changes {
		t.events("retune", c.String())
	}
	err = t.reshape(ctx, &before, &want)
	if err == nil {
		err = t.retenant(ctx, &before, &want)
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
func (t *tuning) reslice(ctx context.Context, want *megakernel.Settings) error {
	next := *want
	next.LogSampling, next.Workgroup = 0, 0
	next.TenantMask, next.TenantQuota = [megakernel.Tenants]bool{}, [megakernel.Tenants]uint32{}
	same := *t.now.Load() == next && *t.next.Load() == next
	t.next.Store(&next)
	if same {
		return nil
	}
	t.endSlice()
	t.wakeUp()
	return t.await(ctx, "retune", func() bool { return !t.pending() })
}

// retenant writes the words of tenants and has the kernel read them.
func (t *tuning) retenant(ctx context.Context, before, want *megakernel.Settings) error {
	if before.TenantMask == want.TenantMask && before.TenantQuota == want.TenantQuota {
		return nil
	}
	for id := range megakernel.Tenants {
		mask := uint32(0)
		if want.TenantMask[id] {
			mask = ^uint32(0)
		}
		t.control.Store(megakernel.CtrlTenantMask0+id, mask)
		t.control.Store(megakernel.CtrlTenantQuota0+id, want.TenantQuota[id])
	}
	_, err := t.refreshTenants(ctx, megakernel.Command{Op: megakernel.OpRefreshTenants})
	return err
}

// refreshTenants has the kernel read the words of tenants.
func (t *tuning) refreshTenants(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	c.Arg = t.quotaFactor(load(t.control, megakernel.ControlMinWords))
	return t.commander.send(ctx, c)
}

// Retune changes the number of workers and lanes, as Apply does; 0 leaves one as it is.
func (t *tuning) Retune(ctx context.Context, shape megakernel.Shape) error {
	var list []megakernel.Setting
	if shape.Workers != 0 {
		list = append(list, megakernel.Setting{ID: megakernel.WorkersSetting, Value: int64(shape.Workers)})
	}
	if shape.Lanes != 0 {
		list = append(list, megakernel.Setting{ID: megakernel.LanesSetting, Value: int64(shape.Lanes)})
	}
	_, err := t.Apply(ctx, list...)
	return err
}

// Shape returns the shape of the running slice.
func (t *tuning) Shape() megakernel.Shape {
	now := t.inForce()
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
