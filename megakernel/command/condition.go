package command

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
)

// conditionFields are what the condition of a breakpoint may compare, under the names that they have in the
// table of tasks and in package tasks.
var conditionFields = func() (list []conditionField) {
	list = []conditionField{
		{"op", tasks.WordOpcode}, {"tenant", tasks.WordTenant}, {"priority", tasks.WordPriority},
		{"id", tasks.WordTaskID}, {"task", tasks.WordTaskID}, {"parent", tasks.WordParentTaskID},
		{"pc", tasks.WordContinuationPC}, {"data", tasks.WordContinuationData}, {"param", tasks.WordParam},
		{"input", tasks.WordInputHandle}, {"output", tasks.WordOutputHandle},
		{"yields", tasks.WordYieldCount}, {"requeues", tasks.WordRequeueCount}, {"age", tasks.WordAgeTicks},
		{"worker", breakpoint.Worker}, {"slot", breakpoint.Slot}, {"epoch", breakpoint.Epoch},
	}
	for word, name := range tasks.WordNames {
		known := slices.ContainsFunc(list, func(f conditionField) bool { return f.name == name })
		if word != tasks.WordState && word != tasks.WordResumeEpoch && !known { // of a task that is about to run they say nothing
			list = append(list, conditionField{name, breakpoint.Field(word)})
		}
	}
	return list
}()

type conditionField struct {
	name  string
	field breakpoint.Field
}

// ConditionFields lists the names that the condition of a breakpoint may compare.
func ConditionFields() []string {
	names := make([]string, len(conditionFields))
	for i, f := range conditionFields {
		names[i] = f.name
	}
	return names
}

// accepts are the outcomes that a comparison of a filter passes.
var accepts = map[string]breakpoint.Accept{
	"=": breakpoint.Equal, "!=": breakpoint.Less | breakpoint.Greater,
	"<": breakpoint.Less, "<=": breakpoint.Less | breakpoint.Equal,
	">": breakpoint.Greater, ">=": breakpoint.Greater | breakpoint.Equal,
}

// CompileCondition makes a program of a condition: a filter of comparisons of numbers. opcodes are the names
// of those of the target; nil: they are not known yet, and any name stands for one. Errors are
// *filter.SyntaxError, which names the term, and breakpoint.ErrCondition.
func CompileCondition(text string, opcodes map[uint32]string) (breakpoint.Program, error) {
	expr, err := filter.Parse(text, ConditionFields())
	if err != nil {
		return nil, err
	}
	var p breakpoint.Program
	for _, t := range expr.Postfix() {
		step, err := conditionStep(&t, opcodes)
		if err != nil {
			return nil, err
		}
		p = append(p, step)
	}
	if len(p) == 0 {
		return nil, &fault.Error{Kind: breakpoint.ErrCondition, Subject: "breakpoint", Detail: "it has no condition", Fix: "write one such as op=7 and tenant!=2"}
	}
	return p, p.Validate()
}

func conditionStep(t *filter.Term, opcodes map[uint32]string) (breakpoint.Step, error) {
	switch t.Kind {
	case filter.And:
		return breakpoint.Step{Kind: breakpoint.And}, nil
	case filter.Or:
		return breakpoint.Step{Kind: breakpoint.Or}, nil
	case filter.Not:
		return breakpoint.Step{Kind: breakpoint.Not}, nil
	case filter.Word:
		return breakpoint.Step{}, &filter.SyntaxError{At: t.At, Detail: fmt.Sprintf("%q compares nothing, and the device knows no text", t.Value), Fix: "write a comparison such as op=7"}
	}
	f := conditionFields[t.Column]
	accept, ok := accepts[t.Operator]
	if !ok {
		return breakpoint.Step{}, &filter.SyntaxError{At: t.At, Detail: fmt.Sprintf("%s%s%s looks for text, and the device knows none", f.name, t.Operator, t.Value), Fix: "compare with a number: = != < <= > >="}
	}
	value, err := conditionValue(f, t.Value, opcodes)
	if err != nil {
		return breakpoint.Step{}, &filter.SyntaxError{At: t.At, Detail: fmt.Sprintf("invalid value %q of %s", t.Value, f.name), Fix: err.Error()}
	}
	return breakpoint.Step{Field: f.field, Accept: accept, Value: value}, nil
}

// conditionValue reads what a field is compared with. The error says what to write.
func conditionValue(f conditionField, text string, opcodes map[uint32]string) (uint32, error) {
	if n, err := units.Parse(text, 32); err == nil {
		return uint32(n), nil
	}
	switch f.field {
	case tasks.WordOpcode:
		return opcodeNamed(text, opcodes)
	case tasks.WordPriority:
		if p, err := tasks.ParsePriority(strings.ToLower(text)); err == nil {
			return uint32(p), nil
		}
		return 0, fmt.Errorf("use 0 to %d, or a name from %s to %s", tasks.NumPriorities-1, tasks.Critical, tasks.Idle)
	case tasks.WordTaskID, tasks.WordParentTaskID:
		if id, err := megakernel.ParseTaskName(text); err == nil {
			return id, nil
		}
	}
	return 0, fmt.Errorf("use a number such as 100 or 0x1f, below 2^32")
}

func opcodeNamed(name string, opcodes map[uint32]string) (uint32, error) {
	if opcodes == nil {
		return 0, nil
	}
	var known []string
	for op, n := range opcodes {
		if strings.EqualFold(n, name) {
			return op, nil
		}
		known = append(known, n)
	}
	for op := range uint32(megakernel.MetricOpcodes) {
		if n, builtin := megakernel.OpcodeName(op); builtin && strings.EqualFold(n, name) {
			return op, nil
		}
	}
	slices.Sort(known)
	return 0, fmt.Errorf("use a number, or one of %s", strings.Join(known, ", "))
}
