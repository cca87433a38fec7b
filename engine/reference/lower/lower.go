package lower

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Result is a lowered program.
type Result struct {
	Code *vm.Code
	Vars []Var // where variables live, for a debugger
	// Unset are the variables that get no value where they begin: an instruction makes their registers zero there.
	Unset []Unset
	// Guards are the instructions outside calls that loops have only because of an inserted guard.
	Guards map[int]bool
	// Images are the parameters that are images, of calls that have any.
	Images map[int32][]tree.ImageParam

	Shared      []Shared // where shared variables live
	SharedSpace int      // index in Code.Spaces of the memory they are in
}

// Unset is a variable without a value, or an out parameter, from the instruction at PC on.
type Unset struct {
	Variable *tree.Variable
	PC       int
}

// Shared says that a shared variable occupies the words of the shared memory from Word on, densely.
type Shared struct {
	Variable *tree.Variable
	Word     int
}

// Var says that a variable lives in consecutive registers while the instructions From up to but not
// including To run. Components follow one another densely.
type Var struct {
	Variable *tree.Variable
	Reg      int
	From, To int
	Call     int32 // the inlined call the variable belongs to, index in Code.Calls, or -1
}

// LimitError says that a program is too large to lower.
type LimitError struct {
	Pos   source.Pos
	What  string // "instructions", "registers" …
	Limit int
}

// Error names the place and the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: the program needs more than %d %s once all calls are inlined. Fix: call large functions from fewer places, or use smaller arrays",
		e.Pos, e.Limit, e.What)
}

// Lower lowers a program. The error is a *LimitError.
func Lower(p *tree.Program) (*Result, error) { return lowered(p, false) }

// LowerToSet is Lower for debuggers that set variables: no parameter shares the registers of its argument, so that
// setting one changes neither a variable of the caller nor a constant.
func LowerToSet(p *tree.Program) (*Result, error) { return lowered(p, true) }

func lowered(p *tree.Program, settable bool) (*Result, error) {
	l := &lowerer{
		prog: p, code: &vm.Code{LocalSize: p.LocalSize}, call: -1, next: vm.InputRegs, high: vm.InputRegs,
		consts: map[string]int32{}, vars: map[*tree.Variable]int32{}, sharedAt: map[*tree.Variable]int32{},
		sites: map[vm.Site]int32{}, guards: map[int]bool{}, images: map[int32][]tree.ImageParam{}, accesses: map[vm.Access]int32{}, assigned: map[*tree.Variable]bool{},
		breakSet: vm.None, continueSet: vm.None, nextMask: vm.FixedMasks,
	}
	l.spaces()
	l.noteAssigned()
	if settable {
		noteParameters(p, l.assigned)
	}
	l.main()
	if l.err != nil {
		return nil, l.err
	}
	l.finish()
	r := &Result{Code: l.code, Vars: l.records, Unset: l.unset, Guards: l.guards, Images: l.images, SharedSpace: int(l.sharedSpace())}
	for _, v := range p.Shared {
		r.Shared = append(r.Shared, Shared{v, int(l.sharedAt[v])})
	}
	return r, nil
}

// lowerer is the state of one Lower.
type lowerer struct {
	prog *tree.Program
	code *vm.Code
	err  error

	consts   map[string]int32
	sites    map[vm.Site]int32
	accesses map[vm.Access]int32
	pos      source.Pos // of what is being lowered
	call     int32      // inlined call being lowered

	next, high int32 // next free register; the most used
	globalsEnd int32 // end of the registers of the globals
	nextMask   int32

	vars     map[*tree.Variable]int32 // first register of each visible variable
	sharedAt map[*tree.Variable]int32 // word in shared memory
	assigned map[*tree.Variable]bool  // variables that some statement changes
	records  []Var
	unset    []Unset
	images   map[int32][]tree.ImageParam
	guards   map[int]bool
	open     []int // records whose variable is still in scope

	merge        *label // where lanes meet again after a leave
	breakSet     int32
	continueSet  int32
	fn           frame
	mainReturned int32 // mask of the lanes that returned from main
}

// frame is the function being lowered.
type frame struct {
	result    int32 // register of the result
	returnSet int32 // mask, or None when the only return is at the end
}

// spaces lays out the memories: buffers by ID, then the shared memory.
func (l *lowerer) spaces() {
	for _, b := range l.prog.Buffers {
		words := b.Block.Size() / 4
		l.code.Spaces = append(l.code.Spaces, vm.Space{Name: b.Name, Binding: uint32(b.Binding), Words: words})
	}
	size := int32(0)
	for _, v := range l.prog.Shared {
		l.sharedAt[v] = size
		size += int32(v.Type.Components())
	}
	if size > 0 {
		l.code.Spaces = append(l.code.Spaces, vm.Space{Name: "shared", Shared: true, Words: int(size)})
	}
}

func (l *lowerer) sharedSpace() int32 { return int32(len(l.prog.Buffers)) }

// main lowers the initializers of the globals and the body of main.
func (l *lowerer) main() {
	for i := range l.prog.Globals {
		l.declare(&l.prog.Globals[i])
	}
	l.globalsEnd = l.next
	saved, returned := l.mask(), l.mask()
	l.fn, l.mainReturned = frame{result: vm.None, returnSet: returned}, returned
	l.at(l.prog.Main.Pos)
	l.emit(vm.OpEnter, 0, saved, returned, vm.None, 0)
	end := &label{}
	l.merge = end
	l.block(l.prog.Main.Body)
	l.at(l.prog.Main.End)
	l.bind(end)
	l.merge = &label{}
	l.emitTo(vm.OpMerge, saved, returned, l.merge)
	l.bind(l.merge)
	l.emit(vm.OpEnd, 0, 0, 0, 0, 0)
	l.closeScope(0)
}

// label is a jump target that may not be known yet.
type label struct {
	uses []int // instructions that jump to it
}

// emit appends an instruction; operands that the operation does not use are 0.
func (l *lowerer) emit(op vm.Op, n int, d, a, b, c int32) int {
	if len(l.code.Instrs) >= vm.MaxInstrs {
		l.limit("instructions", vm.MaxInstrs)
		return 0
	}
	l.code.Instrs = append(l.code.Instrs, vm.Instr{Op: op, N: uint16(n), D: d, A: a, B: b, C: c})
	l.code.Where = append(l.code.Where, l.site())
	return len(l.code.Instrs) - 1
}

// emitTo appends a masked jump to a label that is bound later.
func (l *lowerer) emitTo(op vm.Op, d, a int32, to *label) {
	to.uses = append(to.uses, l.emit(op, 0, d, a, 0, 0))
}

// bind makes the next instruction the target of a label.
func (l *lowerer) bind(to *label) {
	for _, pc := range to.uses {
		l.code.Instrs[pc].C = int32(len(l.code.Instrs))
	}
}

func (l *lowerer) limit(what string, limit int) {
	if l.err == nil {
		l.err = &LimitError{Pos: l.pos, What: what, Limit: limit}
	}
}

// at makes pos the place of the instructions that follow.
func (l *lowerer) at(pos source.Pos) { l.pos = pos }

func (l *lowerer) site() int32 {
	key := vm.Site{Pos: l.pos, Call: l.call}
	i, ok := l.sites[key]
	if !ok {
		i = int32(len(l.code.Sites))
		l.sites[key] = i
		l.code.Sites = append(l.code.Sites, key)
	}
	return i
}

func (l *lowerer) access(a vm.Access) int32 {
	i, ok := l.accesses[a]
	if !ok {
		i = int32(len(l.code.Accesses))
		l.accesses[a] = i
		l.code.Accesses = append(l.code.Accesses, a)
	}
	return i
}
