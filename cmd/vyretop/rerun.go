package main

import (
	"context"
	"errors"
	"fmt"

	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/run"
	"vyretop/tui"
)

// keepForAgain notes whether a run is to start again, and the breakpoints that it has.
func (f *runFlags) keepForAgain(r *run.Run) {
	if f.again = r.Again(); f.again {
		f.kept = r.Hub().Breakpoints()
	}
}

// setKept sets the breakpoints of the run before. What cannot be set is told: the handlers may be others.
func (f *runFlags) setKept(ctx context.Context, a *app, r *run.Run) error {
	var list []breakpoint.Breakpoint
	for i := range f.kept {
		list = append(list, f.kept[i].Breakpoint)
	}
	defer r.Expect(list)()
	for i, b := range list {
		set, err := r.Hub().Arm(ctx, b)
		if err == nil && !f.kept[i].Enabled {
			err = r.Hub().Enable(ctx, set.ID, false)
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			a.warnText(fmt.Sprintf("breakpoint at %s is not set again: %v", b.String(), err))
		}
	}
	return nil
}

// ownerAt is owner for a dashboard that begins where that of the run before was left.
func (x *exit) ownerAt(f *runFlags) *tui.Owner {
	o := x.owner()
	o.Place, o.Left = f.place, func(p tui.Place) { f.place = p }
	return o
}
