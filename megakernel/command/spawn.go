package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Runner is a target whose run takes other handlers, further tasks, and a new beginning. The texts say what was done, for people.
type Runner interface {
	// Reload has the run take the handlers as they are on disk.
	Reload(ctx context.Context) (text string, err error)
	// Spawn publishes a task beside those of the workload.
	Spawn(ctx context.Context, t megakernel.Injected) (text string, err error)
	// Rerun ends the run in order, and starts it again with the same inputs and breakpoints.
	Rerun(ctx context.Context) (text string, err error)
}

// Spawned is the task of a spawn as it was typed.
type Spawned struct {
	Opcode string // name or number
	Task   megakernel.Injected
}

// InjectedWords are the names of the words that a spawn gives, in their order.
var InjectedWords = tasks.WordNames[tasks.WordInputHandle : tasks.WordInputHandle+megakernel.MaxInjectedWords]

func readSpawn(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Spawn}
	o.Spawned.Task.Priority = tasks.Normal
	if len(args) == 0 {
		return o, v.misuse("missing opcode")
	}
	o.Spawned.Opcode = args[0]
	for _, a := range args[1:] {
		name, value, named := strings.Cut(a, "=")
		var err error
		switch {
		case named && name == "priority":
			o.Spawned.Task.Priority, err = tasks.ParsePriority(value)
		case named && name == "tenant":
			o.Spawned.Task.Tenant, err = v.tenant(value)
		case named:
			err = v.misuse("unknown setting %q: must be priority or tenant", name)
		default:
			err = v.word(&o.Spawned.Task, a)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func (v *Verb) tenant(text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n >= megakernel.Tenants {
		return 0, v.misuse("invalid tenant %q: must be 0 to %d", text, megakernel.Tenants-1)
	}
	return uint32(n), nil
}

func (v *Verb) word(t *megakernel.Injected, text string) error {
	n, err := units.Parse(text, 32)
	if err != nil {
		return v.misuse("invalid 32-bit number %q", text)
	}
	if t.Words = append(t.Words, uint32(n)); len(t.Words) > megakernel.MaxInjectedWords {
		return v.misuse("too many words: a task takes %d (%s)", megakernel.MaxInjectedWords, strings.Join(InjectedWords, ", "))
	}
	return nil
}

// For is the task for a target with handlers of these names.
func (s *Spawned) For(opcodes map[uint32]string) (megakernel.Injected, error) {
	t := s.Task
	var names []string
	for op, name := range opcodes {
		if name == s.Opcode {
			t.Opcode = op
			return t, nil
		}
		names = append(names, name)
	}
	slices.Sort(names)
	n, err := units.Parse(s.Opcode, 32)
	if err != nil {
		return t, &fault.Error{Kind: ErrCommand, Subject: "spawn " + s.Opcode, Detail: "the target has no handler of that name", Fix: fault.Suggest(s.Opcode, names, "name one of "+strings.Join(names, ", "))}
	}
	if t.Opcode = uint32(n); opcodes[t.Opcode] == "" {
		return t, &fault.Error{Kind: ErrCommand, Subject: "spawn " + s.Opcode, Detail: fmt.Sprintf("opcode %d has no handler", t.Opcode), Fix: "name one of " + strings.Join(names, ", ")}
	}
	return t, nil
}

// steer carries a reload, spawn or rerun out.
func (o *Order) steer(ctx context.Context, t Target, r *Result) error {
	runner, ok := t.(Runner)
	if !ok {
		return &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "this target is not a live run", Fix: "use a live run"}
	}
	var opcodes map[uint32]string
	if named, ok := t.(interface{ Target() megakernel.Target }); ok {
		opcodes = named.Target().Opcodes
	}
	text, err := o.Steer(ctx, runner, opcodes)
	r.answer(text, err)
	return err
}

// Steer carries a reload, spawn or rerun out on a target with handlers of these names, and says what was done.
func (o *Order) Steer(ctx context.Context, on Runner, opcodes map[uint32]string) (text string, err error) {
	switch o.Kind {
	case Reload:
		return on.Reload(ctx)
	case Rerun:
		return on.Rerun(ctx)
	}
	task, err := o.Spawned.For(opcodes)
	if err != nil {
		return "", err
	}
	return on.Spawn(ctx, task)
}
