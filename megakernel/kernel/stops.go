package kernel

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Holds says what breakpoints need of a kernel. Its zero value is a kernel without breakpoints.
type Holds struct {
	Breaks bool   `json:",omitempty"` // look at conditions before each activation
	Stops  []Stop `json:",omitempty"` // lines, values and events inside of handlers, at most megakernel.MaxBreaks

	statements []Stop       // of breakpoint(CONDITION), for megakernel.StopStatement
	watched    []*tree.Type // by stop: of the value that it watches, or nil
}

// Stop is what a kernel looks for while an activation runs (Holds.Stops): a line that it comes to, a value that
// it changes, or an event. One of File, Watch and Event is set.
type Stop struct {
	File  string `json:"file,omitempty"`  // of the workload, and
	Line  int    `json:"line,omitempty"`  // a line of it on which a statement begins
	Watch string `json:"watch,omitempty"` // expression of a scalar that the kernel declares at module scope
	Event string `json:"event,omitempty"` // one of megakernel.StopEvents

	// Condition is an expression of type bool, "" for none: in the scope of the line, or for Watch of the names old and value.
	Condition string `json:"if,omitempty"`
	Opcode    uint32 `json:"opcode,omitempty"` // of megakernel.StopSpawn
}

// ErrStop is matched by errors about lines and values that a kernel cannot look for.
const ErrStop fault.Kind = "cannot stop there"

// maxKept bounds the activations whose beginning the kernel keeps, one for each slot up to that many.
const maxKept = 4096

// Kept is how many beginnings of activations the kernel keeps. That of slot s is number s modulo Kept.
func (k *Kernel) Kept() int { return min(k.Config.Slots, maxKept) }

// KeptAt is the word of the outbox where the mirror ends and these beginnings are, megakernel.KeptWords for each.
func (k *Kernel) KeptAt() int {
	if !k.Config.Mirror {
		return k.MirrorAt()
	}
	return k.MirrorAt() + k.Config.Slots*tasks.SlotWords
}

// marks are the statements for the lines.
func (c *Holds) marks() (list []glsl.Mark) {
	for i, s := range c.Stops {
		at := []Stop{s}
		if s.Event == megakernel.StopStatement {
			at = c.statements
		}
		for _, s := range at {
			if s.File != "" {
				list = append(list, glsl.Mark{File: s.File, Line: s.Line, Condition: s.Condition, Statement: fmt.Sprintf("vt_hit |= %s ? %du : 0u;", glsl.Placeholder, 1<<i)})
			}
		}
	}
	return list
}

// touches are the values that are watched, but for words of slots: only what is written by the activation itself counts.
func (c *Holds) touches() (list []glsl.Touch) {
	for i, s := range c.Stops {
		if s.Watch != "" && slotName.FindString(s.Watch) == "" {
			list = append(list, glsl.Touch{Expr: s.Watch, Files: isHandlerFile, Function: "vt_touch", Bit: 1 << i})
		}
	}
	return list
}

// watchFence keeps the reads of watched values on their sides of the handler. NVIDIA's compiler (580.159.04) otherwise moves the
// read before the handler behind the handler's write, although the buffer is volatile: the value then has never changed.
const watchFence = "    memoryBarrierBuffer();\n"

// writeStops writes what looks at values and events: vt_before_stops before an activation, vt_after_stops after it, and
// vt_spawns when a task is spawned.
func (k *Kernel) writeStops(b *strings.Builder) {
	if len(k.Config.Holds.Stops) == 0 {
		return
	}
	var globals, before, after, spawns strings.Builder
	for i, s := range k.Config.Holds.Stops {
		test := fmt.Sprintf("vt_stops(%du)", 1<<i)
		set := fmt.Sprintf("vt_hit |= %du;", 1<<i)
		switch {
		case slotName.FindString(s.Watch) != "":
			slot, word := slotWord(s.Watch)
			fmt.Fprintf(&globals, "bool vt_when_%d(uint old, uint value) { return %s; }\n", i, orTrue(s.Condition))
			fmt.Fprintf(&after, "    if (%s && slot == %du && t.%s != vt_began.%s && vt_when_%d(vt_began.%s, t.%s)) { %s vt_stop_old = vt_began.%s; vt_stop_new = t.%s; }\n", test, slot, word, word, i, word, word, set, word, word)
		case s.Watch != "":
			t := k.Config.Holds.watched[i]
			fmt.Fprintf(&globals, "%s vt_was_%d;\nbool vt_when_%d(%s old, %s value) { return %s; }\n", t, i, i, t, t, orTrue(s.Condition))
			fmt.Fprintf(&before, "    vt_was_%d = %s;\n", i, s.Watch)
			fmt.Fprintf(&after, "    { %s now = %s; if (%s && (vt_touched & %du) != 0u && now != vt_was_%d && vt_when_%d(vt_was_%d, now)) { %s vt_stop_old = vt_bits(vt_was_%d); vt_stop_new = vt_bits(now); } }\n", t, s.Watch, test, 1<<i, i, i, i, set, i)
		case s.Event == megakernel.StopFault:
			fmt.Fprintf(&after, "    if (%s && (vt_outcome == OUTCOME_FAULT || vt_overrun)) { %s }\n", test, set)
		case s.Event == megakernel.StopUndefined:
			fmt.Fprintf(&after, "    if (%s && vt_misses != 0u) { %s }\n", test, set)
		case s.Event == megakernel.StopSpawn:
			fmt.Fprintf(&spawns, "    if (%s && opcode == %du) { %s }\n", test, s.Opcode, set)
		}
	}
	fence := ""
	if before.Len() > 0 {
		fence = watchFence
	}
	fmt.Fprintf(b, "%svoid vt_before_stops() {\n%s%s}\nvoid vt_after_stops(uint slot, in Task t) {\n%s%s}\nvoid vt_spawns(uint opcode) {\n%s}\n", globals.String(), before.String(), fence, fence, after.String(), spawns.String())
}

func orTrue(condition string) string {
	if condition == "" {
		return "true"
	}
	return condition
}

// has reports whether there is a stop for an event.
func (c *Holds) has(event string) bool {
	return slices.ContainsFunc(c.Stops, func(s Stop) bool { return s.Event == event })
}

// NumberOf is the place of a stop among those of the kernel, -1 where it does not look for it.
func (c *Holds) NumberOf(s Stop) int { return slices.Index(c.Stops, s) }

// FindStop completes a stop for this kernel: the name of its file, and the next line on which a statement begins; a
// condition that breakpoint(CONDITION) has there where s has none. The error is ErrStop.
func (k *Kernel) FindStop(s Stop) (Stop, error) {
	t := k.Program.Tree
	if t == nil {
		return s, stopError("the handlers are outside the kernel language", "write the lines that vyretop check names in the kernel language")
	}
	switch {
	case s.Event == megakernel.StopStatement && len(k.Statements()) == 0:
		return s, stopError("the workload's files have no breakpoint(CONDITION) statement", "write one into a handler, or break at a line")
	case slices.Contains(megakernel.StopEvents, s.Event):
		return s, nil
	case s.Event != "":
		return s, stopError(fmt.Sprintf("unknown event %q", s.Event), "use one of "+strings.Join(megakernel.StopEvents, ", "))
	case s.Watch != "":
		return s, k.checkWatch(s)
	}
	file, err := k.workloadFile(s.File)
	if err != nil {
		return s, err
	}
	lines := glsl.StatementLines(t, file)
	at, _ := slices.BinarySearch(lines, s.Line)
	if at == len(lines) {
		return s, stopError(fmt.Sprintf("%s:%d: no statement begins at or after this line", file, s.Line), "choose a line inside a function")
	}
	s.File, s.Line = file, lines[at]
	if s.Condition == "" {
		s.Condition = statementAt(t, file, s.Line)
	}
	return s, nil
}

// checkWatch checks a watched value and its condition.
func (k *Kernel) checkWatch(s Stop) error {
	if slotName.MatchString(s.Watch) {
		if err := k.Config.checkSlotWord(s.Watch); err != nil {
			return err
		}
		return checkWhen(k.Program.Tree, tree.Uint, s.Condition)
	}
	x, err := watchedType(k.Program.Tree, s.Watch)
	if err != nil {
		return err
	}
	return checkWhen(k.Program.Tree, x, s.Condition)
}

// Statements are the stops of the breakpoint(CONDITION) statements of the workload's files, in the order of the text.
func (k *Kernel) Statements() (list []Stop) {
	if k.Program.Tree == nil {
		return nil
	}
	for _, f := range k.Program.Tree.Functions {
		if f.Body == nil || !isWorkloadFile(f.Pos.File) {
			continue
		}
		tree.InspectStmts(f.Body, func(x tree.Stmt) {
			if e, ok := x.(*tree.Empty); ok && e.Breakpoint != "" {
				list = append(list, Stop{File: e.Pos().File, Line: e.Pos().Line, Condition: e.Breakpoint})
			}
		})
	}
	return list
}

// statementAt is the condition of a breakpoint(CONDITION) statement with which a line begins, "" where there is none.
func statementAt(t *tree.Program, file string, line int) (condition string) {
	first := 0
	for _, f := range t.Functions {
		if f.Body == nil || f.Pos.File != file {
			continue
		}
		tree.InspectStmts(f.Body, func(x tree.Stmt) {
			if at := x.Pos(); at.File != file || at.Line != line || first != 0 && at.Col >= first {
				return
			}
			first, condition = x.Pos().Col, ""
			if e, ok := x.(*tree.Empty); ok {
				condition = e.Breakpoint
			}
		})
	}
	return condition
}

// workloadFile finds a file of the workload by its name or the end of its path; "" is the only one.
func (k *Kernel) workloadFile(name string) (string, error) {
	var all, fit []string
	for _, f := range k.Program.Files {
		if !isWorkloadFile(f) {
			continue
		}
		all = append(all, f)
		if f == name || name == "" || strings.HasSuffix(f, "/"+name) || strings.HasSuffix(name, "/"+path.Base(f)) && strings.HasSuffix(name, f) {
			fit = append(fit, f)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) == 0:
		return "", stopError(fmt.Sprintf("the kernel has no file %q", name), "use one of "+strings.Join(all, ", "))
	}
	return "", stopError("several files of the kernel could be meant", "name one of "+strings.Join(fit, ", "))
}

var slotName = regexp.MustCompile(`^slot\[(\d+)\]\.(\w+)$`)

// slotWord are the slot and the word of "slot[3].param".
func slotWord(text string) (slot uint64, word string) {
	m := slotName.FindStringSubmatch(text)
	slot, _ = strconv.ParseUint(m[1], 10, 32) // Assemble has checked it
	return slot, m[2]
}

// checkSlotWord checks the slot, and that the word is one that an activation changes itself.
func (c *Config) checkSlotWord(text string) error {
	m := slotName.FindStringSubmatch(text)
	slot, err := strconv.ParseUint(m[1], 10, 32)
	if err != nil || slot >= uint64(c.Slots) {
		return stopError(fmt.Sprintf("there is no slot %s", m[1]), fmt.Sprintf("use 0 to %d", c.Slots-1))
	}
	own := tasks.WordNames[tasks.WordPriority : tasks.WordContinuationData+1]
	if !slices.Contains(own, m[2]) {
		return stopError(fmt.Sprintf("an activation does not change the word %q of its slot", m[2]), "use one of "+strings.Join(own, ", "))
	}
	return nil
}

func stopError(detail, fix string) error {
	return &fault.Error{Kind: ErrStop, Detail: detail, Fix: fix}
}

// validateStops checks that the stops fit, and learns the types of those that watch a value.
func (c *Config) validateStops() error {
	h := &c.Holds
	if len(h.Stops) > megakernel.MaxBreaks {
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: stops", Detail: fmt.Sprintf("%d are too many", len(h.Stops)), Fix: fmt.Sprintf("use at most %d", megakernel.MaxBreaks)}
	}
	if !slices.ContainsFunc(h.Stops, func(s Stop) bool { return s.Watch != "" || s.Event == megakernel.StopStatement }) {
		return nil
	}
	plain := *c
	plain.Holds, plain.Core = Holds{}, false
	k, err := Assemble(plain)
	if err != nil {
		return err
	}
	h.statements = k.Statements()
	h.watched = make([]*tree.Type, len(h.Stops))
	for i, s := range h.Stops {
		if s.Watch == "" || slotName.MatchString(s.Watch) {
			continue
		}
		if h.watched[i], err = watchedType(k.Program.Tree, s.Watch); err != nil {
			return err
		}
	}
	return nil
}

// Beginning is how an activation began that a breakpoint inside of it has held, from the outbox.
type Beginning struct {
	Breakpoint uint32 // its number
	Worker     uint32
	Lane       uint32
	Hit        uint32                  // of the breakpoint
	Text       int                     // number of the text that the activation ran; -1: the one that runs now
	Old, New   uint32                  // of a watched value
	Words      [tasks.SlotWords]uint32 // of the slot
}

// ReadBeginning decodes the words of one that is kept; ok is false where it is of another task, or none is kept.
func ReadBeginning(w []uint32, task uint32) (b Beginning, ok bool) {
	if len(w) < megakernel.KeptWords || w[megakernel.KeptBreak] == 0 || w[megakernel.KeptSlot+tasks.WordTaskID] != task {
		return b, false
	}
	b = Beginning{Breakpoint: w[megakernel.KeptBreak], Worker: w[megakernel.KeptWorker] & 0xFFFF, Lane: w[megakernel.KeptWorker] >> 16, Hit: w[megakernel.KeptHit], Text: int(w[megakernel.KeptText]) - 1, Old: w[megakernel.KeptOld], New: w[megakernel.KeptNew]}
	copy(b.Words[:], w[megakernel.KeptSlot:])
	return b, true
}
