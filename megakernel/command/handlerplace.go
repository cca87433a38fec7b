package command

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// watchWord begins a breakpoint on a value that changes, also as a verb.
const watchWord = "watch"

// linePlace is LINE or FILE:LINE, with its condition.
var linePlace = regexp.MustCompile(`^(?:([^\s:=<>!&|]+):)?(\d+)(?:\s+if\s+(.+))?$`)

// parsePlace reads where in a handler a breakpoint is: FILE:LINE, LINE, watch EXPR, each with "if EXPR" behind it, or an event. It is
// nil for other texts, which are conditions.
func parsePlace(text string) (*breakpoint.Place, error) {
	if at, ok := strings.CutSuffix(text, " if"); ok {
		return nil, &fault.Error{Kind: ErrCommand, Subject: at, Detail: "missing condition after if", Fix: "write one, such as " + at + " if i == 5u"}
	}
	if m := linePlace.FindStringSubmatch(text); m != nil {
		line, err := strconv.Atoi(m[2])
		if err != nil || line < 1 {
			return nil, &fault.Error{Kind: ErrCommand, Subject: "line " + m[2], Detail: "lines begin with 1", Fix: "write FILE:LINE, such as collatz.glsl:12"}
		}
		condition, err := kernelNames(m[3])
		return &breakpoint.Place{File: m[1], Line: line, If: strings.TrimSpace(condition)}, err
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == watchWord:
		place, condition, _ := strings.Cut(rest, " if ")
		if place == "" {
			return nil, &fault.Error{Kind: ErrCommand, Subject: watchWord, Detail: "say which value", Fix: "write watch EXPR [if CONDITION], such as watch control[150] if value > 5"}
		}
		place, err := kernelNames(place)
		return &breakpoint.Place{Watch: strings.TrimSpace(place), If: strings.TrimSpace(condition)}, err
	case word == megakernel.StopSpawn && rest != "":
		return &breakpoint.Place{Event: word, If: rest}, nil // compilePlace finds the opcode of the name
	case slices.Contains(megakernel.StopEvents, word) && word != megakernel.StopSpawn && rest == "":
		return &breakpoint.Place{Event: word}, nil
	case slices.Contains(megakernel.StopEvents, word):
		return nil, &fault.Error{Kind: ErrCommand, Subject: text, Detail: "unknown event", Fix: fmt.Sprintf("write one of %s, or spawn OPCODE", strings.Join(megakernel.StopEvents, ", "))}
	}
	return nil, nil
}

// movedText says where a breakpoint is that was set on a line without a statement.
func movedText(p *breakpoint.Place) string {
	if p == nil || p.Moved == 0 {
		return ""
	}
	return fmt.Sprintf(" at %s:%d (no statement begins on line %d)", p.File, p.Line, p.Moved)
}

// compilePlace gives a place the number of the opcode that it names.
func compilePlace(b *breakpoint.Breakpoint, opcodes map[uint32]string) error {
	if b.Place.Event != megakernel.StopSpawn || b.Place.If == "" {
		return nil
	}
	at := *b.Place
	n, err := strconv.ParseUint(at.If, 0, 32)
	if at.Opcode = uint32(n); err != nil {
		if at.Opcode, err = opcodeNamed(at.If, opcodes); err != nil {
			return &fault.Error{Kind: ErrCommand, Subject: "spawn " + at.If, Detail: "unknown opcode", Fix: err.Error()}
		}
	}
	at.If = ""
	b.Place = &at
	return nil
}
