package engine

// settleGrid checks the grid that the caller gave, or derives one.
func (l *Limits) settleGrid(launch *Launch, p *Program, bindings []Binding, cfg *DispatchConfig) *refusal {
	if cfg.Indirect.Buffer != nil {
		return checkIndirect(p, cfg)
	}
	launch.Grid = cfg.Grid
	if launch.Grid == [3]uint32{} {
		groups, r := derivedGroups(launch.Workgroup, p.Buffers, bindings)
		if r != nil {
			return r
		}
		if groups > uint64(l.MaxWorkgroups[0]) {
			return refuse("give a grid of more than one axis", "%d workgroups for the largest output, the device takes %d along x", groups, l.MaxWorkgroups[0])
		}
		launch.Grid = [3]uint32{uint32(groups), 1, 1}
	}
	return l.checkGrid(launch.Grid)
}

// checkGrid refuses an empty grid, and one too large for the device.
func (l *Limits) checkGrid(grid [3]uint32) *refusal {
	for i, n := range grid {
		if n == 0 || n > l.MaxWorkgroups[i] {
			return refuse("choose a grid within the device's limits", "grid %s is %d workgroups, the device takes 1 to %d", axes[i], n, l.MaxWorkgroups[i])
		}
	}
	return nil
}

func checkIndirect(p *Program, cfg *DispatchConfig) *refusal {
	at, size := cfg.Indirect.Offset, cfg.Indirect.Buffer.Size()
	switch {
	case p.UsesGridBarrier():
		return refuse("give the grid", "an indirect grid, and the workgroups wait for each other: how many must be known")
	case cfg.PersistentThread == PersistentForce:
		return refuse("give the grid", "an indirect grid, and workers that take it: how large it is must be known")
	case cfg.Grid != [3]uint32{}:
		return refuse("give one of them", "both a grid and an indirect grid")
	case at < 0 || at > size-3:
		return refuse("keep the three words inside the buffer", "an indirect grid at word %d of %d", at, size)
	}
	return nil
}

// derivedGroups is the number of workgroups that gives one invocation to each element of the largest
// output.
func derivedGroups(workgroup [3]uint32, specs []BufferSpec, bindings []Binding) (uint64, *refusal) {
	elements := 0
	for _, b := range bindings {
		if s := specAt(specs, b.Index); s != nil && s.Access != ReadOnly {
			elements = max(elements, s.Elements(b.Buffer.Size()))
		}
	}
	if elements == 0 {
		return 0, refuse("give the grid", "no grid is given, and the program has no output to derive it from")
	}
	lanes := uint64(workgroup[0]) * uint64(workgroup[1]) * uint64(workgroup[2])
	return (uint64(elements) + lanes - 1) / lanes, nil
}
