package bfs

import (
	"context"
	"fmt"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// unreached is the level of a vertex that the search does not reach.
const unreached = ^uint32(0)

// Words of the buffer "counts", as bfs.glsl declares them.
const (
	countTail = iota
	countLevelEnd
	countPhases
	countSize
	countBase
	countSearch
	countSearches
	countFollowed // arcs of the vertices reached,
	countBefore   // and of those not in the current level
	countAllArcs
	countWidth
	_ // levels searched bottom-up
	countCheck
	_            // pairs and labels
	countMost    // vertices of the largest level
	countAlive   // tasks of the search,
	_            // (arcs count as search)
	countJoining // with edges,
	_            // with labels,
	_            // and with unreached vertices
	countSources // from here on, where each search begins
)

// Words of the buffer "status".
const (
	statusEnded = iota
	statusSearched
	statusArcs
	statusProgress
	statusFrontier
	statusWidest
	statusUps
	statusWords
)

// Values of statusEnded beside 0.
const (
	complete  = 1
	exhausted = 2
)

// Stamps are levels counted through all searches: see bfs.glsl. 0 is that of a vertex that was never reached.
const (
	stampShift = 3 // where a stamp begins in a task's param
	firstStamp = 1
	lastStamp  = 1<<29 - 1
)

// What the items of a task are: the low bits of its param.
const (
	kindVertices = 0
	kindPairs    = 2
)

// look is how often Run looks whether the result is complete.
const look = time.Millisecond

// counts are the initial counters: one task searches from the only vertex in the queue, another one has the edges.
func (b *BFS) counts() []uint32 {
	counts := []uint32{
		countTail: 1, countLevelEnd: 1, countPhases: 2, countSize: uint32(b.graph.Vertices), countBase: b.base,
		countSearches: uint32(len(b.sources)), countWidth: 1, countMost: 1, countCheck: mix(b.sources[0], 0), countAlive: 1, countJoining: 1, countSources: 0,
	}
	counts[countFollowed] = b.arcs.degree(b.sources[0])
	counts[countBefore] = counts[countFollowed]
	if !b.graph.OneWay {
		counts[countAllArcs] = uint32(len(b.arcs.targets))
	}
	return append(counts[:countSources], b.sources...)
}

// Run implements workload.Workload.
func (b *BFS) Run(ctx context.Context, h workload.Host) error {
	status, result := h.Buffer("status"), h.Buffer("result")
	if len(status) < statusWords || len(result) < b.resultWords() {
		return protocolError("the host did not map the buffers that bfs asked for")
	}
	b.result = result
	b.status.Store(&status)
	opcode := b.manifest.Opcodes[0].Number
	err := h.Publish(ctx, []tasks.Task{
		{State: tasks.Ready, Opcode: opcode, Priority: tasks.Normal, TaskID: 1, Param: b.base<<stampShift | kindVertices, OutputHandle: 1},
		{State: tasks.Ready, Opcode: opcode, Priority: tasks.Normal, TaskID: 2, Param: kindPairs, OutputHandle: uint32(b.graph.Edges())},
	})
	if err != nil {
		return err
	}
	return b.await(ctx, h)
}

// await returns when both published tasks have ended and the result is complete, whichever is later.
func (b *BFS) await(ctx context.Context, h workload.Host) error {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	status := *b.status.Load()
	for ended := 0; ended < 2 || status.Load(statusEnded) == 0; {
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return protocolError("the kernel stopped before the result was complete")
			}
			if err := check(cs); err != nil {
				return err
			}
			ended += len(cs)
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if status.Load(statusEnded) == exhausted {
		return workload.Failure(workload.ErrFlag, "--searches", fmt.Sprintf("the searches have more than %d levels in all", lastStamp), nil, "ask for fewer searches")
	}
	return nil
}

// check looks for faults.
func check(cs []workload.Completion) error {
	for _, c := range cs {
		if c.State != tasks.Done {
			return workload.Failure(workload.ErrTaskFaulted, "bfs", fmt.Sprintf("task %s ended in a fault: %s", megakernel.TaskName(c.TaskID), megakernel.FaultCode(c.Code)), nil, "look at the debug log of the run")
		}
	}
	return nil
}

func protocolError(detail string) error {
	return workload.Failure(workload.ErrProtocol, "bfs", detail, nil, "run it again with --record and look at the last snapshot")
}

// Progress implements workload.Workload. It counts arcs of the vertices reached in all searches, edges joined and vertices labelled. The
// total takes each search that is not over for one that reaches all arcs: it falls when one did not.
func (b *BFS) Progress() (done, total int64, unit string) {
	b.steps.Lock()
	defer b.steps.Unlock()
	other := int64(b.graph.Edges() + b.graph.Vertices)
	arcs := int64(len(b.arcs.targets))
	status := b.status.Load()
	if status == nil {
		return 0, arcs*int64(len(b.sources)) + other, "steps"
	}
	ended := status.Load(statusEnded) == complete
	for over := int(status.Load(statusSearched)); b.steps.searches < min(over, len(b.sources)); b.steps.searches++ {
		b.steps.arcs += int64(b.result.Load(b.at(b.steps.searches) + recordArcs))
	}
	total = b.steps.arcs + arcs*int64(len(b.sources)-b.steps.searches) + other
	if ended {
		return total, total, "steps"
	}
	// The words are read one after the other, while the device goes from one search to the next.
	now := b.steps.arcs + int64(status.Load(statusArcs)) + int64(status.Load(statusProgress))
	b.steps.done = min(max(b.steps.done, now), total)
	return b.steps.done, total, "steps"
}

// Graph implements workload.Grapher.
func (b *BFS) Graph() megakernel.Graph {
	status := b.status.Load()
	if status == nil {
		return megakernel.Graph{} // what Setup writes may not be there yet
	}
	return megakernel.Graph{
		Nodes: uint32(b.graph.Vertices), Edges: uint32(b.graph.Edges()),
		Frontier: status.Load(statusFrontier), Widest: status.Load(statusWidest),
	}
}

// density is the share that size vertices are of all, in ten-thousandths.
func density(size, vertices int) uint16 { return uint16(size * 10000 / vertices) }
