package bfs

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"vyretop/megakernel/workload"
)

const (
	// verifiedArcs bounds the work of a verification: as many arcs as a host follows within some seconds.
	verifiedArcs = 1 << 30
	// verifiedWords bounds what its searches keep at the same time.
	verifiedWords = 1 << 27
)

// Verify implements workload.Workload: it compares every vertex with a plain search on the host, and what the device
// says of the other searches with as many plain ones as the bound allows.
func (b *BFS) Verify(ctx context.Context) (workload.Verification, error) {
	f := b.read()
	components, err := b.graph.components(ctx)
	if err != nil {
		return workload.Verification{}, err
	}
	if v, differs := difference("component", f.components, components); differs {
		return wrong(v), nil
	}
	if v := b.checkReached(f.records, components); v != "" {
		return wrong(v), nil
	}
	last := len(b.sources) - 1
	plain := newSearcher(b.arcs)
	want, err := plain.search(ctx, b.sources[last])
	if err != nil {
		return workload.Verification{}, err
	}
	if v, differs := difference("level", f.levels, plain.levels); differs {
		return wrong(v), nil
	}
	if f.records[last] != want {
		return wrong(b.differs(last, f.records[last], want)), nil
	}
	chosen := choose(last, max(1, verifiedArcs/max(1, len(b.arcs.targets))))
	if v, err := b.checkRecords(ctx, f.records, chosen); v != "" || err != nil {
		return wrong(v), err
	}
	return workload.Verification{OK: true, Detail: b.checked(len(chosen) + 1)}, nil
}

func wrong(detail string) workload.Verification { return workload.Verification{Detail: detail} }

// checked says what a verification has compared.
func (b *BFS) checked(chosen int) string {
	detail := fmt.Sprintf("levels and components of all %d vertices are those of a plain search", b.graph.Vertices)
	switch n := len(b.sources); {
	case n == 1:
		return detail
	case chosen == n:
		return fmt.Sprintf("%s; vertices, levels, arcs and checksum of each of %d searches too", detail, n)
	case b.graph.OneWay:
		return fmt.Sprintf("%s; vertices, levels, arcs and checksum of %d of %d searches too", detail, chosen, n)
	default:
		return fmt.Sprintf("%s; vertices, levels, arcs and checksum of %d of %d searches too; the others reach the whole component", detail, chosen, n)
	}
}

func difference(what string, got, want []uint32) (string, bool) {
	for v := range want {
		if got[v] != want[v] {
			return fmt.Sprintf("vertex %d has %s %d, a plain search finds %d", v, what, got[v], want[v]), true
		}
	}
	return "", false
}

// checkReached compares the vertices that each search reached with those of its source's component; where arcs have a
// direction that says nothing.
func (b *searched) checkReached(records []record, components []uint32) string {
	if b.graph.OneWay {
		return ""
	}
	sizes := count(components)
	for i, source := range b.sources {
		if want := sizes[components[source]]; int(records[i].reached) != want {
			return fmt.Sprintf("search %d from vertex %d reached %d vertices, its component has %d", i, source, records[i].reached, want)
		}
	}
	return ""
}

// choose is up to most of n searches, evenly, the first among them.
func choose(n, most int) []int {
	list := make([]int, min(n, most))
	for i := range list {
		list[i] = i * (n - 1) / max(len(list)-1, 1)
	}
	return list
}

// checkRecords searches again, on all processors, and says which search differs.
func (b *searched) checkRecords(ctx context.Context, records []record, chosen []int) (string, error) {
	searchers := max(1, min(runtime.GOMAXPROCS(0), len(chosen), verifiedWords/2/b.graph.Vertices))
	var group sync.WaitGroup
	var next atomic.Int64
	differs := make([]string, searchers)
	errs := make([]error, searchers)
	for k := range searchers {
		group.Go(func() {
			s := newSearcher(b.arcs)
			for i := int(next.Add(1)) - 1; i < len(chosen) && differs[k] == "" && errs[k] == nil; i = int(next.Add(1)) - 1 {
				var want record
				search := chosen[i]
				want, errs[k] = s.search(ctx, b.sources[search])
				if got := records[search]; errs[k] == nil && got != want {
					differs[k] = b.differs(search, got, want)
				}
			}
		})
	}
	group.Wait()
	for k := range searchers {
		if errs[k] != nil || differs[k] != "" {
			return differs[k], errs[k]
		}
	}
	return "", nil
}

func (b *searched) differs(search int, got, want record) string {
	return fmt.Sprintf("search %d from vertex %d found %v, a plain search finds %v", search, b.sources[search], got, want)
}

// String tells a record in words.
func (r record) String() string {
	return fmt.Sprintf("%d vertices, %d levels, %d arcs, checksum %08x", r.reached, r.levels, r.arcs, r.check)
}
