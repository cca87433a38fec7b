package resident

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

// Workgroup is the workgroup size in force: how many lanes the kernel variant that runs is compiled for.
func (fs *forms) Workgroup() int { return fs.form.Load().kernel.Config.WorkgroupSize }

// laneLimit is the largest workgroup that the session can switch to, and why there is none larger.
func (l *launch) laneLimit() (most int, why string) {
	most, why = megakernel.MaxWorkgroup, "larger workgroups are not supported"
	size, known := l.profile.MaxWorkgroupSize.Get()
	if known && int(size[0]) < most {
		most, why = int(size[0]), "the device has no larger workgroups"
	}
	if n, known := l.profile.MaxInvocations.Get(); known && int(n) < most {
		most, why = int(n), "the device has no larger workgroups"
	}
	if limit, known := l.profile.LoopIterationLimit.Get(); known && l.kernel.Config.LoopLimit > 0 {
		each := uint64(l.limits.activation) * uint64(l.kernel.Costs.Tick)
		if n := max(iterationsForLanes(limit)/max(each, 1), uint64(l.kernel.Config.WorkgroupSize)); n < uint64(most) {
			most, why = int(n), fmt.Sprintf("activations of %d loop iterations in each lane of a larger one do not fit into the %d that this device runs in one slice", each, limit)
		}
	}
	return most, why
}

func (l *launch) mostLanes() int {
	most, _ := l.laneLimit()
	return most
}

// checkWorkgroup finds sizes that the device cannot have.
func (l *launch) checkWorkgroup(n int) error {
	if most, why := l.laneLimit(); n < 1 || n > most {
		return &fault.Error{Kind: ErrOption, Subject: "workgroup = " + fmt.Sprint(n), Detail: why, Fix: fmt.Sprintf("use 1 to %d lanes", most)}
	}
	return nil
}

// wantedSettings are the settings that a list asks for, with the lanes or the workgroup size that follow from it, and the
// list with those. Lanes run in the smallest compiled workgroup that has them; another workgroup has all its lanes filled.
func (t *tuning) wantedSettings(before *megakernel.Settings, list []megakernel.Setting) (megakernel.Settings, []megakernel.Setting, error) {
	want := *before
	given := map[megakernel.SettingID]bool{}
	for _, x := range list {
		if err := want.Set(x); err != nil {
			return want, nil, err
		}
		given[x.ID] = true
	}
	switch {
	case given[megakernel.WorkgroupSetting] && !given[megakernel.LanesSetting] && want.Workgroup != before.Workgroup:
		want.Lanes = want.Workgroup
	case given[megakernel.LanesSetting] && !given[megakernel.WorkgroupSetting] && want.Lanes != before.Lanes:
		want.Workgroup = t.forms.workgroupFor(want.Lanes)
	}
	list = append(list[:len(list):len(list)],
		megakernel.Setting{ID: megakernel.LanesSetting, Value: int64(want.Lanes)},
		megakernel.Setting{ID: megakernel.WorkgroupSetting, Value: int64(want.Workgroup)})
	return want, list, t.checkSettings(&want)
}

// workgroupFor is the smallest compiled workgroup with that many lanes, or one of that size.
func (fs *forms) workgroupFor(lanes int) int {
	best := 0
	consider := func(size int) {
		if size >= lanes && (best == 0 || size < best) {
			best = size
		}
	}
	consider(fs.kernel.Config.WorkgroupSize)
	consider(fs.Workgroup())
	fs.variants.sizes(consider)
	if best == 0 {
		return lanes
	}
	return best
}

// readyWorkgroup compiles the kernel variant that a list of settings needs, while the one in force runs and other settings
// may be changed.
func (t *tuning) readyWorkgroup(ctx context.Context, list []megakernel.Setting) error {
	if err := t.usable("retune"); err != nil {
		return err
	}
	before := t.Settings()
	want, _, err := t.wantedSettings(&before, list)
	if err != nil {
		return err
	}
	return t.forms.compileWorkgroup(ctx, want.Workgroup)
}

// askShape numbers a change of shape; 0 is a list without one.
func (t *tuning) askShape(list []megakernel.Setting) uint64 {
	for _, x := range list {
		switch x.ID {
		case megakernel.WorkersSetting, megakernel.LanesSetting, megakernel.WorkgroupSetting:
			return t.asked.Add(1)
		}
	}
	return 0
}

// applyLater has the settings made when the variant that they wait for is compiled, unless the shape is set again in the meantime.
// It returns the error for the caller, which has stopped waiting; other errors are returned as they are.
func (t *tuning) applyLater(err error, asked uint64, list []megakernel.Setting) error {
	var late *CompilingError
	if !errors.As(err, &late) {
		return err
	}
	late.Later = true
	go func() {
		ctx := t.forms.variants.context()
		err := t.readyWorkgroup(ctx, list)
		if t.asked.Load() != asked {
			return
		}
		if err == nil {
			_, err = t.Apply(ctx, list...)
		}
		if err != nil && ctx.Err() == nil {
			t.events("error", err.Error())
		}
	}()
	return err
}

// compileWorkgroup compiles the kernel variant of a workgroup size that is not in force, unless that was done. Specialised
// ones are compiled when they are taken.
func (fs *forms) compileWorkgroup(ctx context.Context, size int) error {
	now := &fs.form.Load().kernel.Config
	if size == now.WorkgroupSize || len(now.Hot) > 0 {
		return nil
	}
	f, err := fs.variant(ctx, variantKey{workgroup: size, breaks: now.Holds.Breaks, stops: packStops(now.Holds.Stops)})
	if err != nil {
		return fs.variantError(size, err)
	}
	f.release()
	return nil
}

// variantError says that the variant in force keeps running where the compiler refused another one.
func (fs *forms) variantError(size int, err error) error {
	var late *CompilingError
	if errors.As(err, &late) || errors.Is(err, ErrStopped) || errors.Is(err, ErrOption) {
		return err
	}
	return &fault.Error{
		Kind: ErrVariant, Subject: fmt.Sprintf("workgroup=%d", size), Cause: err,
		Detail: fmt.Sprintf("the kernel cannot be compiled for it; workgroups of %d lanes keep running", fs.Workgroup()),
	}
}

// reshape brings workers, lanes and the workgroup size into force, in an order in which no slice has more lanes than its
// kernel variant.
func (t *tuning) reshape(ctx context.Context, before, want *megakernel.Settings) error {
	slice := func() error { return t.reslice(ctx, want) }
	if want.Workgroup == before.Workgroup {
		return slice()
	}
	first, second := func() error { return t.forms.switchWorkgroup(ctx, want.Workgroup) }, slice
	if want.Workgroup < before.Workgroup {
		first, second = second, first
	}
	err := first()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return errors.Join(err, second()) // both are made, also when no caller waits
}

// switchWorkgroup has the next slices run the kernel variant of a workgroup size, and waits until they do.
func (fs *forms) switchWorkgroup(ctx context.Context, size int) error {
	return fs.reform(ctx, "retune", func(wanted *form) (*form, error) {
		if wanted.kernel.Config.WorkgroupSize == size {
			return nil, nil
		}
		next, err := fs.formFor(ctx, size, wanted.kernel.Config.Hot, wanted.breaks, wanted.breaks)
		if err != nil {
			return nil, fs.variantError(size, err)
		}
		return next, nil
	})
}

// resized is the configuration of a kernel with another workgroup size.
func (l *launch) resized(k *kernel.Kernel, size int) kernel.Config {
	c := k.Config
	if size != c.WorkgroupSize {
		c.WorkgroupSize = size
		c.Lockstep = int(l.profile.LockstepInvocations.Or(0)) >= size
	}
	return c
}
