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
	_            // work done
	countAlive   // tasks of the search,
	_            // (arcs count as search)
	countJoining // with edges,
	_            // and with labels
	countWords
)

// Words of the buffer "status".
const (
	statusEnded = iota
	statusProgress
	statusFrontier
	statusWords
)

// What the items of a task are: the low bits of its param.
const (
	kindVertices = 0
	kindPairs    = 2
)

// look is how often Run looks whether the result is complete.
const look = time.Millisecond

// initialCounts: one task searches from the only vertex in the queue, another one has the edges.
func initialCounts(vertices int) []uint32 {
	return []uint32{countTail: 1, countLevelEnd: 1, countPhases: 2, countSize: uint32(vertices), countAlive: 1, countJoining: 1}
}

// Run implements workload.Workload.
func (b *BFS) Run(ctx context.Context, h workload.Host) error {
	status, result := h.Buffer("status"), h.Buffer("result")
	if len(status) < statusWords || len(result) < 2*b.graph.Vertices {
		return protocolError("the host did not map the buffers that bfs asked for")
	}
	b.status.Store(&status)
	b.result = result
	opcode := b.manifest.Opcodes[0].Number
	err := h.Publish(ctx, []tasks.Task{
		{State: tasks.Ready, Opcode: opcode, Priority: tasks.Normal, TaskID: 1, Param: kindVertices, OutputHandle: 1},
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
	return nil
}

// check looks for faults.
func check(cs []workload.Completion) error {
	for _, c := range cs {
		if c.State != tasks.Done {
			return &workload.Error{Kind: workload.ErrTaskFaulted, Name: "bfs", Detail: fmt.Sprintf("task %s ended in a fault: %s", megakernel.TaskName(c.TaskID), megakernel.FaultCode(c.Code)), Fix: "look at the debug log of the run"}
		}
	}
	return nil
}

func protocolError(detail string) error {
	return &workload.Error{Kind: workload.ErrProtocol, Name: "bfs", Detail: detail, Fix: "run it again with --record and look at the last snapshot"}
}

// Progress implements workload.Workload. It counts arcs followed, edges joined and vertices labelled;
// arcs that the search does not reach are taken for followed at the end.
func (b *BFS) Progress() (done, total int64, unit string) {
	status := b.status.Load()
	switch {
	case status == nil:
		return 0, b.total, "steps"
	case status.Load(statusEnded) != 0:
		return b.total, b.total, "steps"
	}
	return min(int64(status.Load(statusProgress)), b.total), b.total, "steps"
}

// density is the share that size vertices are of all, in ten-thousandths.
func density(size, vertices int) uint16 { return uint16(size * 10000 / vertices) }
