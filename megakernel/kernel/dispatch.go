package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
)

// class says where a handler is run.
type class int

const (
	inPasses class = iota // on each lane, in a scheduling pass
	rare                  // on each lane, when serving: the kernel is specialized for other opcodes
	together              // by all lanes, when serving
)

// classOf tells the class of a handler.
func (c *Config) classOf(h *Handler) class {
	switch {
	case h.Cooperative:
		return together
	case len(c.Hot) > 0 && !slices.Contains(c.Hot, h.Opcode):
		return rare
	default:
		return inPasses
	}
}

// count counts the handlers of a class; a specialized kernel has a rare one more, the fault of an unknown
// opcode.
func (k *Kernel) count(want class) (n int) {
	for i := range k.Config.Handlers {
		if k.Config.classOf(&k.Config.Handlers[i]) == want {
			n++
		}
	}
	if want == rare && len(k.Config.Hot) > 0 {
		n++
	}
	return n
}

// validateHot checks what the kernel is to be specialized for.
func (c *Config) validateHot() error {
	if len(c.Hot) > 0 && c.Operations {
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: hot opcodes", Detail: "a kernel with the protocol's operations runs all handlers in its scheduling pass, for packed slots", Fix: "leave one of the two out"}
	}
	for _, opcode := range c.Hot {
		i := slices.IndexFunc(c.Handlers, func(h Handler) bool { return h.Opcode == opcode })
		if i < 0 {
			return &fault.Error{Kind: ErrConfig, Subject: "megakernel: hot opcodes", Detail: fmt.Sprintf("%d has no handler", opcode), Fix: "name opcodes of handlers"}
		}
		if c.Handlers[i].Cooperative {
			return &fault.Error{Kind: ErrConfig, Subject: "megakernel: hot opcodes", Detail: fmt.Sprintf("the handler of %d is cooperative, so the scheduling pass cannot run it", opcode), Fix: "name opcodes of other handlers"}
		}
	}
	return nil
}

// writeDispatch writes what runs a task by its opcode.
func (k *Kernel) writeDispatch(b *strings.Builder) {
	if k.Config.Operations {
		k.writeCases(b, "vt_handle_small", inPasses, func(opcode uint32) bool { return opcode <= math.MaxUint8 })
		k.writeCases(b, "vt_handle", inPasses, func(opcode uint32) bool { return opcode > math.MaxUint8 })
		b.WriteString("void vt_dispatch(inout Task t) { vt_operate(t); }\n")
	} else {
		k.writeCases(b, "vt_dispatch", inPasses, nil)
	}
	if k.count(rare) > 0 {
		k.writeCases(b, "vt_dispatch_rare", rare, nil)
	}
	if k.count(together) > 0 {
		k.writeCases(b, "vt_dispatch_together", together, nil)
		fmt.Fprintf(b, "bool vt_cooperates(uint opcode) { return %s; }\n", k.isOneOf(together))
	}
	if len(k.Config.Hot) > 0 {
		fmt.Fprintf(b, "bool vt_defers(uint opcode) { return !(opcode == 0u || %s); }\n", k.isOneOf(inPasses))
	} else if k.count(together) > 0 {
		b.WriteString("bool vt_defers(uint opcode) { return vt_cooperates(opcode); }\n")
	}
}

// writeCases writes a function that runs the handlers of a class, or those of them whose opcode fits.
func (k *Kernel) writeCases(b *strings.Builder, name string, want class, fits func(opcode uint32) bool) {
	fmt.Fprintf(b, "void %s(inout Task t) {\n", name)
	tests := map[string][]string{} // of the opcodes that one function handles: drivers make a copy of it for each call
	var functions []string
	for i := range k.Config.Handlers {
		if h := &k.Config.Handlers[i]; k.Config.classOf(h) == want && (fits == nil || fits(h.Opcode)) {
			if tests[h.Function] == nil {
				functions = append(functions, h.Function)
			}
			tests[h.Function] = append(tests[h.Function], fmt.Sprintf("t.opcode == %du", h.Opcode))
		}
	}
	for _, f := range functions {
		fmt.Fprintf(b, "    if (%s) { %s(t); return; }\n", strings.Join(tests[f], " || "), f)
	}
	b.WriteString("    if (t.opcode != 0u) { vt_fault(t, FAULT_UNKNOWN_OPCODE, 0u); } // 0 is NOP\n}\n")
}

// isOneOf writes the question whether the handler of opcode is of a class, which has at least one.
func (k *Kernel) isOneOf(want class) string {
	var tests []string
	for i := range k.Config.Handlers {
		if h := &k.Config.Handlers[i]; k.Config.classOf(h) == want {
			tests = append(tests, fmt.Sprintf("opcode == %du", h.Opcode))
		}
	}
	return strings.Join(tests, " || ")
}

// checkBarriers refuses barriers where lanes do not meet: in a handler of single lanes, and in a loop that
// could end in one lane alone. Without a typed tree nothing is known.
func (c *Config) checkBarriers(p *tree.Program) error {
	if p == nil {
		return nil
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		for _, f := range p.Functions {
			if f.Name != h.Function || f.Body == nil {
				continue
			}
			m := meetings{seen: map[*tree.Function]bool{}}
			m.function(f)
			switch {
			case m.barrier && !h.Cooperative:
				return &fault.Error{Kind: ErrConfig, Subject: "megakernel: handler " + h.Name, Detail: "it has a barrier, but each lane runs a task of its own", Fix: "make the handler cooperative, or take the barrier out"}
			case m.alone != nil:
				return &fault.Error{Kind: ErrConfig, Subject: "megakernel: handler " + h.Name, Detail: fmt.Sprintf("%s: the loop holds a barrier, in a function that it calls or without braces", m.alone.Pos()), Fix: "write the barrier into the loop itself, and braces around its body"}
			}
		}
	}
	return nil
}

// meetings looks for barriers in a function and what it calls.
type meetings struct {
	seen    map[*tree.Function]bool
	barrier bool      // there is one
	alone   tree.Stmt // a loop that holds one, but counts for each lane
}

func (m *meetings) function(f *tree.Function) {
	if m.seen[f] || f.Body == nil {
		return
	}
	m.seen[f] = true
	m.barrier = holdsBarrier(f.Body, map[*tree.Function]bool{}) || m.barrier
	for _, l := range loopsOf(f) {
		if isHandlerFile(f.Pos.File) && holdsBarrier(l, map[*tree.Function]bool{}) && !guardedBy(l, "vt_round") {
			m.alone = l
		}
	}
	tree.InspectStmts(f.Body, func(s tree.Stmt) {
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(e tree.Expr) bool {
				if call, ok := e.(*tree.Call); ok {
					m.function(call.Func)
				}
				return true
			})
		}
	})
}

// holdsBarrier reports whether a statement, or a function that it calls and that is not among seen, has a
// barrier.
func holdsBarrier(s tree.Stmt, seen map[*tree.Function]bool) (found bool) {
	tree.InspectStmts(s, func(s tree.Stmt) {
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(e tree.Expr) bool {
				switch x := e.(type) {
				case *tree.BuiltinCall:
					found = found || x.Builtin.ID == tree.FnBarrier
				case *tree.Call:
					if !seen[x.Func] && x.Func.Body != nil {
						seen[x.Func] = true
						found = holdsBarrier(x.Func.Body, seen) || found
					}
				}
				return true
			})
		}
	})
	return found
}

// guardedBy reports whether a loop's condition calls a function.
func guardedBy(loop tree.Stmt, name string) (found bool) {
	for _, e := range tree.Exprs(loop) {
		tree.Inspect(e, func(e tree.Expr) bool {
			call, ok := e.(*tree.Call)
			found = found || ok && call.Func.Name == name
			return true
		})
	}
	return found
}

// Specialize returns the configuration of a kernel for the opcodes with the most activations, at most n of
// them and no more than have had the given share (0..1) of all. activations are those of each opcode below
// megakernel.MetricOpcodes, all those of every opcode. ok is false when there is no such kernel: more opcodes
// are wanted than n, or every handler of single lanes is hot.
func (c *Config) Specialize(activations [megakernel.MetricOpcodes]uint64, all uint64, n int, share float64) (special Config, ok bool) {
	var known []uint32
	handlers := 0
	for _, h := range c.Handlers {
		if h.Cooperative {
			continue
		}
		handlers++
		if h.Opcode < megakernel.MetricOpcodes && activations[h.Opcode] > 0 {
			known = append(known, h.Opcode)
		}
	}
	slices.SortStableFunc(known, func(a, b uint32) int { return cmp.Compare(activations[b], activations[a]) })
	special, special.Hot = *c, nil
	wanted := share * float64(all)
	for _, opcode := range known[:min(n, len(known))] {
		if wanted <= 0 {
			break
		}
		special.Hot = append(special.Hot, opcode)
		wanted -= float64(activations[opcode])
	}
	return special, len(special.Hot) > 0 && len(special.Hot) < handlers && wanted <= 0 && !c.Operations
}
