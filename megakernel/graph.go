package megakernel

// Graph is what a workload that searches a graph knows of it. The zero value means that nothing is known: the target has no
// graph, or is of an older recording.
type Graph struct {
	Nodes    uint32
	Edges    uint32
	Frontier uint32 // nodes of the level that is being searched
	Widest   uint32 // nodes of the largest level so far
}

// Known reports whether the target has a graph.
func (g Graph) Known() bool { return g.Nodes > 0 }

// allBps is all, in basis points.
const allBps = 10000

// DensityBps is the share that the largest level so far has of all nodes, in basis points; 0 only where no graph is known.
func (g Graph) DensityBps() uint16 {
	if !g.Known() {
		return 0
	}
	return uint16(min(max(uint64(g.Widest)*allBps/uint64(g.Nodes), 1), allBps))
}
