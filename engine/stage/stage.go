package stage

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine"
)

// Options says what the device lacks and the dispatch wants.
type Options struct {
	GridBarriers bool   // divide main at gridBarrier()
	Stop         bool   // add the stop word
	GuardLoops   bool   // give every loop a way out at its beginning
	LoopLimit    bool   // report in the control buffer where the device has ended loops too early
	Lockstep     uint32 // invocations of a vector, 0: unknown
	Workers      bool   // let the workgroups that are launched take those of the grid in the control buffer
}

// Staged is a program in parts, to be dispatched one after the other on the same grid.
type Staged struct {
	Parts []*engine.Program

	Spill           int // binding of the spill buffer, -1: none is needed
	InvocationWords int // of a record in it
	WorkgroupWords  int
	Control         int // binding of the control buffer, -1: none is needed
	Tickets         int // binding of the ticket buffer, -1: none is needed
}

// SpillWords is the size of the spill buffer for a grid of that many workgroups.
func (s *Staged) SpillWords(workgroups uint64) uint64 {
	size := s.Parts[0].WorkgroupSize
	lanes := uint64(size[0]) * uint64(size[1]) * uint64(size[2])
	return workgroups * (lanes*uint64(s.InvocationWords) + uint64(s.WorkgroupWords))
}

// Words of the control buffer, and its size and that of the ticket buffer.
const (
	ControlStop  = 0
	ControlEnded = 1
	ControlGrid  = 2
	ControlLimit = 5
	ControlProbe = 6
	ControlWords = 7
	TicketWords  = 1
)

// Build makes the parts of p. A program that needs nothing is its own only part. The error is an
// *engine.Error: the text has no main that can be found, what lives across a barrier is too much, or
// workers cannot run the program.
func Build(p *engine.Program, o Options) (*Staged, error) {
	s := &Staged{Parts: []*engine.Program{p}, Spill: -1, Control: -1, Tickets: -1}
	divide := o.GridBarriers && p.UsesGridBarrier()
	b := &builder{Staged: s, program: p, options: o, words: scan(p.Text)}
	var ok bool
	b.void, b.name, b.open, b.end, ok = mainAt(b.words)
	if !divide && !o.Stop && !o.Workers && !o.LoopLimit {
		s.Parts[0] = b.edited()
		return s, nil
	}
	if !ok {
		return nil, refuse(p, "the text has no function main that could be divided", "write void main() { … }")
	}
	if divide {
		b.Spill = b.freeBinding()
		if err := b.collect(); err != nil {
			return nil, err
		}
	}
	if o.Stop || o.Workers || o.LoopLimit {
		b.Control = b.freeBinding()
	}
	if o.Workers {
		if err := b.checkWorkers(); err != nil {
			return nil, err
		}
		b.Tickets = b.freeBinding()
	}
	s.Parts = nil
	for k := range b.sections() {
		s.Parts = append(s.Parts, b.part(k))
	}
	return s, nil
}

func refuse(p *engine.Program, detail, fix string) error {
	return &engine.Error{Code: engine.CodeInvalidProgram, Op: fmt.Sprintf("compile %q", p.Name), Detail: detail, Fix: fix}
}

// builder makes the parts of one program.
type builder struct {
	*Staged
	program               *engine.Program
	options               Options
	words                 []word
	void, name, open, end int // words of main
	live                  live
	barriers              []int // words "gridBarrier" of the statements
}

// freeBinding is the lowest binding that nothing uses yet.
func (b *builder) freeBinding() int {
	taken := func(n int) bool {
		return n == b.Spill || n == b.Control || slices.ContainsFunc(b.program.Buffers, func(s engine.BufferSpec) bool { return s.Binding == uint32(n) })
	}
	n := 0
	for taken(n) {
		n++
	}
	return n
}

// sections is the number of parts of main.
func (b *builder) sections() int { return len(b.barriers) + 1 }

// section is the bytes of part k of main's body.
func (b *builder) section(k int) (from, to int) {
	from, to = b.words[b.open].to, b.words[b.end].from
	if k > 0 {
		from = b.words[b.barriers[k-1]+3].to // behind "gridBarrier ( ) ;"
	}
	if k < len(b.barriers) {
		to = b.words[b.barriers[k]].from
	}
	return from, to
}

// edited is the program as its own only part.
func (b *builder) edited() *engine.Program {
	var edits []edit
	if b.options.GuardLoops {
		edits = b.firm(func(int) bool { return true })
	}
	if len(edits) == 0 {
		return b.program
	}
	q := *b.program
	q.Text = apply(q.Text, edits)
	return &q
}

// firm guards the loops for a device that wants them firm.
func (b *builder) firm(wanted func(at int) bool) []edit {
	look, declaration := lookFirm, firmDeclaration
	if embedded.MatchString(b.program.Text) {
		look, declaration = lookFirmES, firmDeclarationES
	}
	edits := b.guards(look, wanted)
	if len(edits) == 0 {
		return nil
	}
	return append(edits, edit{b.words[0].from, b.words[0].from, declaration})
}

// part makes the program that runs section k.
func (b *builder) part(k int) *engine.Program {
	text := b.program.Text
	edits := []edit{
		{b.words[b.void].from, b.words[b.void].from, b.declarations()},
		{b.words[b.name].from, b.words[b.name].to, "vts_body"},
		{b.words[b.end].to, b.words[b.end].to, b.wrapper(k)},
	}
	for i := range b.sections() {
		from, to := b.section(i)
		switch {
		case i != k:
			edits = append(edits, edit{from, to, newlines(text[from:to])})
		default:
			edits = append(edits, edit{from, from, b.enter(k)}, edit{to, to, b.leave(k)})
		}
	}
	for _, at := range b.barriers {
		from, to := b.words[at].from, b.words[at+3].to
		edits = append(edits, edit{from, to, newlines(text[from:to])})
	}
	if b.Control >= 0 {
		edits = append(edits, edit{b.words[0].from, b.words[0].from, b.controlDeclaration()})
	}
	if b.options.Workers {
		edits = append(edits, b.renamed()...)
	}
	from, to := b.section(k)
	kept := func(at int) bool { return at < b.words[b.open].to || at >= from && at < to || at > b.words[b.end].from }
	switch { // a look at the stop word is firm too
	case b.options.Stop:
		edits = append(edits, b.guards(lookStop, kept)...)
	case b.options.GuardLoops:
		edits = append(edits, b.firm(kept)...)
	}
	q := *b.program
	q.Text = apply(text, edits)
	q.Buffers = b.buffers()
	q.Tree = nil
	return &q
}

func (b *builder) buffers() []engine.BufferSpec {
	specs := slices.Clone(b.program.Buffers)
	if b.Spill >= 0 {
		specs = append(specs, engine.BufferSpec{Name: "vts_Spill", Binding: uint32(b.Spill), MinWords: 1})
	}
	if b.Control >= 0 {
		specs = append(specs, engine.BufferSpec{Name: "vts_Control", Binding: uint32(b.Control), MinWords: ControlWords})
	}
	if b.Tickets >= 0 {
		specs = append(specs, engine.BufferSpec{Name: "vts_Tickets", Binding: uint32(b.Tickets), MinWords: TicketWords})
	}
	slices.SortFunc(specs, func(a, b engine.BufferSpec) int { return int(a.Binding) - int(b.Binding) })
	return specs
}

// declarations stand before main.
func (b *builder) declarations() string {
	var t strings.Builder
	if b.Spill >= 0 {
		fmt.Fprintf(&t, "layout(std430, binding = %d) buffer vts_Spill { uint vts_spill[]; }; uint vts_at = 0u; bool vts_reached = false; ", b.Spill)
	}
	if b.halts() {
		fmt.Fprintf(&t, "shared uint vts_halt; ")
	}
	return t.String()
}

// controlDeclaration stands before everything that may have a loop or ask for its workgroup.
func (b *builder) controlDeclaration() string {
	t := fmt.Sprintf("layout(std430, binding = %d) coherent volatile buffer vts_Control { uint vts_stop; uint vts_ended; uint vts_extent[3]; uint vts_limit; uint vts_probe; }; ", b.Control)
	if b.options.Stop {
		t += lookDeclaration
	}
	if b.options.Workers {
		t += fmt.Sprintf("layout(std430, binding = %d) coherent buffer vts_Tickets { uint vts_next; }; ", b.Tickets) + workerDeclarations
	}
	return t
}

// countEnd counts a workgroup that has ended.
const countEnd = "if (gl_LocalInvocationIndex == 0u && vts_stop == 0u) atomicAdd(vts_ended, 1u); "

// enter and leave stand around the section.
func (b *builder) enter(k int) string {
	if k == 0 {
		return ""
	}
	return b.live.declare(k) + b.live.restore(k)
}

func (b *builder) leave(k int) string {
	if k == b.sections()-1 {
		return ""
	}
	return b.live.save(k+1) + "vts_reached = true; "
}

// wrapper is the main of part k.
func (b *builder) wrapper(k int) string {
	if b.options.Workers {
		return b.worker()
	}
	var t strings.Builder
	t.WriteString(" void main() { " + b.idle())
	if b.halts() {
		t.WriteString("if (gl_LocalInvocationIndex == 0u) vts_halt = vts_stop; barrier(); if (vts_halt != 0u) return; ")
	}
	if b.Spill >= 0 {
		b.spilled(&t, k)
	} else {
		t.WriteString("vts_body(); ")
	}
	if b.halts() {
		t.WriteString(countEnd)
	}
	t.WriteString(b.watch() + "}")
	return t.String()
}

// halts reports whether workgroups look at the stop word, or take tickets.
func (b *builder) halts() bool { return b.options.Stop || b.options.Workers }

// spilled writes the call of the section with the records around it.
func (b *builder) spilled(t *strings.Builder, k int) {
	size := b.program.WorkgroupSize
	lanes := size[0] * size[1] * size[2]
	fmt.Fprintf(t, "uint vts_group = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x; ")
	fmt.Fprintf(t, "vts_at = (vts_group * %du + gl_LocalInvocationIndex) * %du; ", lanes, b.InvocationWords)
	fmt.Fprintf(t, "uint vts_shared = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z * %du + vts_group * %du; ", lanes*uint32(b.InvocationWords), b.WorkgroupWords)
	if k == 0 {
		t.WriteString("vts_body(); ")
	} else {
		if b.WorkgroupWords > 0 {
			t.WriteString(b.live.restoreShared(lanes) + "barrier(); ")
		}
		fmt.Fprintf(t, "if (vts_spill[vts_at] == %du) vts_body(); ", k)
	}
	if k == b.sections()-1 {
		return
	}
	fmt.Fprintf(t, "vts_spill[vts_at] = vts_reached ? %du : 0u; ", k+1)
	if b.WorkgroupWords > 0 {
		t.WriteString("barrier(); " + b.live.saveShared(lanes))
	}
}
