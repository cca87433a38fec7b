package kernel

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel/breakpoint"
)

// watchedType is the type of an expression at module scope, which is a scalar.
func watchedType(t *tree.Program, text string) (*tree.Type, error) {
	x, err := glsl.Expression(text, t, nil)
	if err != nil {
		return nil, &fault.Error{Kind: ErrStop, Detail: text + ": " + firstMessage(err), Fix: watchFix(t, text)}
	}
	if !x.Type().IsScalar() {
		return nil, stopError(fmt.Sprintf("%s is of type %v", text, x.Type()), "watch one of its components, such as "+text+".x")
	}
	return x.Type(), nil
}

// WatchedWords is what a watched value needs: the binding of its buffer, and how many words that must have for the elements that
// the value selects by numbers. They are 0 where it needs none: it is in no buffer, or its place depends on other values.
func (k *Kernel) WatchedWords(watch string) (binding uint32, words int) {
	if k.Program.Tree == nil || slotName.MatchString(watch) {
		return 0, 0
	}
	x, err := glsl.Expression(watch, k.Program.Tree, nil)
	if err != nil {
		return 0, 0
	}
	ref, ok := tree.Root(x).(*tree.BufferRef)
	if !ok {
		return 0, 0
	}
	for {
		switch e := x.(type) {
		case *tree.Field:
			x = e.X
		case *tree.Swizzle:
			x = e.X
		case *tree.Index:
			number, constant := e.I.(*tree.Const)
			if array := e.X.Type(); constant && array.Class == tree.ClassRuntimeArray {
				start := ref.Buffer.Block.Members[ref.Member].Offset
				return uint32(ref.Buffer.Binding), (start + (int(number.Bits[0])+1)*array.Stride()) / 4
			}
			x = e.X
		default:
			return 0, 0
		}
	}
}

// firstMessage is what the first diagnostic of an expression says, without the advice, which is for texts of kernels.
func firstMessage(err error) string {
	var list source.Diagnostics
	if errors.As(err, &list) && len(list.Errors()) > 0 {
		return list.Errors()[0].Message
	}
	return err.Error()
}

// watchFix names what the workload declares in buffers, by the names that its handlers use.
func watchFix(t *tree.Program, text string) string {
	var members []string
	for _, b := range t.Buffers {
		if isWorkloadFile(b.Pos.File) {
			for _, m := range b.Block.Members {
				members = append(members, m.Name)
			}
		}
	}
	const kernels = "a word of the kernel's, such as control[150] or slot[3].param"
	if len(members) == 0 {
		return "name " + kernels
	}
	return fault.Suggest(leadingName.FindString(text), members, "name a value of "+strings.Join(members, ", ")+", or "+kernels)
}

// leadingName is the name with which an expression begins.
var leadingName = regexp.MustCompile(`^\w*`)

// checkWhen checks the condition of a watched value.
func checkWhen(t *tree.Program, of *tree.Type, text string) error {
	if text == "" {
		return nil
	}
	x, err := glsl.Expression(text, t, []*tree.Variable{{Name: "old", Type: of}, {Name: "value", Type: of}})
	switch {
	case err != nil:
		return &fault.Error{Kind: ErrStop, Subject: text, Detail: "invalid condition", Cause: err, Fix: "compare the names old and value, such as value > 5"}
	case x.Type() != tree.Bool:
		return stopError(fmt.Sprintf("the condition %q is of type %v", text, x.Type()), "write a comparison, such as value > 5")
	}
	return nil
}

// BreakpointError is what is wrong with the place or the condition of a breakpoint inside a handler, as an error about the breakpoint.
func BreakpointError(err error) error {
	out := &fault.Error{Kind: breakpoint.ErrCondition, Subject: "breakpoint", Cause: err, Fix: "see docs/debugging.md for what a breakpoint inside a handler can be"}
	var known *fault.Error
	if errors.As(err, &known) {
		out.Detail, out.Cause, out.Fix = known.Detail, known.Cause, known.Fix
	}
	var list source.Diagnostics
	if errors.As(err, &list) && len(list.Errors()) > 0 {
		first := list.Errors()[0]
		out.Detail, out.Cause, out.Fix = first.Message, nil, first.Fix
		if first.Fix == source.DeclareFix {
			out.Fix = "use a name that is in scope at the line, or a value of a buffer"
		}
	}
	return out
}
