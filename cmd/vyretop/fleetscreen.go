package main

import (
	"context"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/targets"
)

func (f *fleetFlags) screen(ctx context.Context, a *app, w *fleet.Watcher, q targets.Query) error {
	return f.print(ctx, a, w, q)
}
