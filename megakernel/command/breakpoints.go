package command

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// Breaker is a target that has breakpoints. Its methods, but the last, wait until the change is in force.
type Breaker interface {
	// Arm sets a breakpoint; the status has the ID that it got. Errors are breakpoint.ErrCondition and those of the target.
	Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error)
	Disarm(ctx context.Context, id int) error // 0: all
	// Enable switches a breakpoint on or off. It keeps its hits.
	Enable(ctx context.Context, id int, on bool) error
	// Breakpoints lists them with their hits, by id.
	Breakpoints() []breakpoint.Status
}

// BreakVerb is what an order does to breakpoints.
type BreakVerb uint8

// What there is to do.
const (
	BreakSet BreakVerb = iota
	BreakDelete
	BreakEnable
	BreakDisable
)

var breakWords = map[string]BreakVerb{"delete": BreakDelete, "clear": BreakDelete, "remove": BreakDelete, "enable": BreakEnable, "disable": BreakDisable}

// BreakOrder is an order about breakpoints. The program of one that is to be set is made when the names of
// the target's opcodes are known (Compile).
type BreakOrder struct {
	Do  BreakVerb
	ID  int // 0: all
	Set breakpoint.Breakpoint
}

// hitClause is what a breakpoint says of its hits, with the connective before it.
var hitClause = regexp.MustCompile(`(?:^|(?:\band|&&)?\s+)hit\s*(>=?|%|==?)\s*(\w+)(?:$|\s)`)

// bareHits is a count of hits as the debugger's prompt takes it. A run holds the tasks of all hits behind a number, or of each Nth.
var bareHits = regexp.MustCompile(`\s+hit\s+(\d+)$`)

// lastAction is the action at the end of a breakpoint; behind an operator it is a value.
var lastAction = regexp.MustCompile(`(?:^|[^\s=<>~])\s+(\w+)$`)

func readBreak(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Break}
	if len(args) == 0 {
		return o, v.misuse("say what to stop at")
	}
	if do, ok := breakWords[args[0]]; ok {
		o.Break.Do = do
		return o, v.readBreakID(&o.Break, args[1:])
	}
	text := strings.Join(args, " ")
	if v.Name == string(watchWord) {
		text = watchWord + " " + text
	}
	b, err := ParseBreakpoint(text)
	o.Break.Set = b
	return o, err
}

func (v *Verb) readBreakID(o *BreakOrder, args []string) error {
	if len(args) != 1 {
		return v.misuse("say which breakpoint")
	}
	if args[0] == "all" {
		return nil
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > megakernel.MaxBreaks {
		return v.misuse("invalid breakpoint ID %q", args[0])
	}
	o.ID = n
	return nil
}

// ParseBreakpoint reads a condition or a place in a handler, what it says of hits, and an action: "op=7 && tenant==2 hit>100 log",
// "collatz.glsl:12 if n > 500u". Its program is not made yet, but what is wrong with the condition is an error now, those of
// CompileCondition or ErrCommand.
func ParseBreakpoint(text string) (b breakpoint.Breakpoint, err error) {
	text = strings.TrimSpace(text)
	if m := lastAction.FindStringSubmatchIndex(text); m != nil && slices.Contains(breakpoint.Actions(), text[m[2]:m[3]]) {
		b.Action, _ = breakpoint.ParseAction(text[m[2]:m[3]])
		text = strings.TrimSpace(text[:m[2]])
	}
	for m := hitClause.FindStringSubmatchIndex(text); m != nil; m = hitClause.FindStringSubmatchIndex(text) {
		if err := takeHits(&b, text[m[2]:m[3]], text[m[4]:m[5]]); err != nil {
			return b, err
		}
		text = strings.TrimSpace(text[:m[0]] + " " + text[m[1]:])
	}
	if m := bareHits.FindStringSubmatch(text); m != nil {
		return b, takeHits(&b, " ", m[1])
	}
	b.Condition = text
	if b.Place, err = parsePlace(text); b.Place != nil || err != nil {
		return b, err
	}
	_, err = CompileCondition(text, nil)
	return b, err
}

func takeHits(b *breakpoint.Breakpoint, op, value string) error {
	n, err := units.Parse(value, 32)
	at := &b.After
	if op == "%" {
		at = &b.Every
	}
	if err != nil || op != ">" && op != "%" || *at != 0 || op == "%" && n == 0 {
		return &fault.Error{Kind: ErrCommand, Subject: "bp", Detail: fmt.Sprintf("hit%s%s cannot be", op, value), Fix: "write hit>N for the hits behind the Nth, hit%N for each Nth, one of each"}
	}
	*at = uint32(n)
	return nil
}

// Compile makes the program of a breakpoint that is to be set. The errors are those of CompileCondition.
func (o *BreakOrder) Compile(opcodes map[uint32]string) (err error) {
	if o.Do == BreakSet && o.Set.Place != nil {
		return compilePlace(&o.Set, opcodes)
	}
	if o.Do == BreakSet {
		o.Set.Program, err = CompileCondition(o.Set.Condition, opcodes)
	}
	return err
}

// Carry has a target do it. The breakpoint is one that was set, else nil.
func (o *BreakOrder) Carry(ctx context.Context, t Breaker) (*breakpoint.Status, error) {
	switch o.Do {
	case BreakSet:
		s, err := t.Arm(ctx, o.Set)
		return &s, err
	case BreakDelete:
		return nil, t.Disarm(ctx, o.ID)
	}
	return nil, t.Enable(ctx, o.ID, o.Do == BreakEnable)
}

// breakpoints carries out an order about breakpoints.
func (o *Order) breakpoints(ctx context.Context, t Target, r *Result) (err error) {
	breaker, ok := t.(Breaker)
	described, named := t.(interface{ Target() megakernel.Target })
	if !ok || !named {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "this target has no breakpoints", Fix: "steer a live run"}
	}
	names := described.Target().Opcodes
	if names == nil {
		names = map[uint32]string{}
	}
	b := o.Break
	if err := b.Compile(names); err != nil {
		return err
	}
	r.Answer = map[BreakVerb]string{BreakSet: "armed", BreakDelete: "removed", BreakEnable: "armed", BreakDisable: "disarmed"}[b.Do]
	if r.Break, err = b.Carry(ctx, breaker); err == nil && r.Break != nil {
		r.Answer += fmt.Sprintf(" as breakpoint %d", r.Break.ID) + movedText(r.Break.Place)
	}
	return err
}
