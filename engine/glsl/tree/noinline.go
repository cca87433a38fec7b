package tree

// SetNoInline sets Function.NoInline of those that wanted names and that can be compiled on their own: not main, no function whose
// name another one has, and none that calls one, directly or through others.
func (p *Program) SetNoInline(wanted func(*Function) bool) {
	names := map[string]int{}
	for _, f := range p.Functions {
		names[f.Name]++
	}
	for _, f := range p.Functions {
		f.NoInline = f != p.Main && f.Body != nil && names[f.Name] == 1 && wanted(f)
	}
	seen := map[*Function]bool{}
	for _, f := range p.Functions {
		f.NoInline = f.NoInline && !callsNoInline(f, seen)
	}
}

// callsNoInline reports whether f reaches a function that is compiled on its own. seen holds the answers so far.
func callsNoInline(f *Function, seen map[*Function]bool) bool {
	if answer, known := seen[f]; known {
		return answer
	}
	for _, g := range f.Calls {
		if g.NoInline || callsNoInline(g, seen) {
			seen[f] = true
			return true
		}
	}
	seen[f] = false
	return false
}

// Size is how many expressions f and all that it calls have, counted again for each call: what a driver compiles that makes a
// copy of a function for each of its calls.
func (f *Function) Size() int { return sizeOf(f, map[*Function]int{}) }

func sizeOf(f *Function, known map[*Function]int) int {
	if n, ok := known[f]; ok || f.Body == nil {
		return n
	}
	n := 0
	InspectStmts(f.Body, func(s Stmt) {
		for _, e := range Exprs(s) {
			Inspect(e, func(e Expr) bool {
				n++
				if call, is := e.(*Call); is {
					n += sizeOf(call.Func, known)
				}
				return true
			})
		}
	})
	known[f] = n
	return n
}
