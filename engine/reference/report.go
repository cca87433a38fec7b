package reference

import (
	"fmt"
	"slices"
	"sync"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/engine/units"
)

// maxReports bounds the distinct places a dispatch reports.
const maxReports = 256

// Report is an undefined operation that a kernel executed, and how often. Workgroup and Lane are of the
// first time.
type Report struct {
	Kind      vm.EventKind
	Pos       source.Pos
	Stack     []vm.Call // inlined calls open there, innermost first
	Workgroup [3]uint32
	Lane      int
	Count     uint64

	Index, Len uint32              // of an access out of range, the first time
	Structs    map[string][]uint32 // see engine.UndefinedAt
}

// String renders the report as a compiler would.
func (r Report) String() string {
	s := fmt.Sprintf("%s: %s, first in workgroup %s by invocation %d", r.Pos, r.Kind, units.Extent(r.Workgroup), r.Lane)
	if r.Count > 1 {
		s += fmt.Sprintf(", %d times", r.Count)
	}
	return s
}

// reporter collects events, one report for each kind and instruction.
type reporter struct {
	mu      sync.Mutex
	at      map[reportKey]int
	list    []Report
	vars    []lower.Var // of the program
	dropped uint64      // events at places that did not fit
	watcher Watcher     // told too, unless it is nil
}

type reportKey struct {
	kind vm.EventKind
	pc   int
}

// Event implements vm.Observer.
func (r *reporter) Event(g *vm.Group, e vm.Event) {
	if r.watcher != nil {
		r.watcher.Event(g, e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := reportKey{e.Kind, e.PC}
	if i, ok := r.at[key]; ok {
		r.list[i].Count++
		return
	}
	if len(r.list) == maxReports {
		r.dropped++
		return
	}
	if r.at == nil {
		r.at = map[reportKey]int{}
	}
	r.at[key] = len(r.list)
	code := g.Code()
	r.list = append(r.list, Report{Kind: e.Kind, Pos: code.Site(e.PC).Pos, Stack: code.Stack(e.PC), Workgroup: g.ID(), Lane: e.Lane, Count: 1,
		Index: e.Index, Len: e.Len, Structs: r.structs(g, e)})
}

// structs are the variables of structure types where an event happened.
func (r *reporter) structs(g *vm.Group, e vm.Event) map[string][]uint32 {
	out := map[string][]uint32{}
	for _, v := range r.vars {
		if t := v.Variable.Type; e.PC >= v.From && e.PC < v.To && t.Class == tree.ClassStruct {
			if words := g.Register(v.Reg, t.Components(), e.Lane); words != nil {
				out[t.Struct.Name] = words
			}
		}
	}
	return out
}

func (r *reporter) reports() (list []Report, dropped uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list), r.dropped
}
