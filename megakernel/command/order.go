package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// Kind says what an order asks for.
type Kind uint8

// The kinds.
const (
	Command Kind = iota // a command of the protocol: Order.Command
	Edit                // of a word: Order.Edit
	Set                 // Order.Settings
	Undo
	Drain
	Stop
	Wait   // Order.For, or until Order.Until
	Break  // Order.Break
	Try    // Order.Shape; the recommended one where it is zero
	Note   // Order.Remark
	Record // Order.File
	Reload
	Spawn // Order.Spawned
	Rerun
)

// Subject is what a command of the protocol acts on.
type Subject uint8

// The subjects.
const (
	All Subject = iota
	Worker
	Task
	Where // tasks that fulfil a condition: Order.Where
)

// Order is a command that was read.
type Order struct {
	Verb string
	Text string // in words, as it was typed
	Kind Kind

	// Command is for the task or worker of a number: Slot is megakernel.NoSlot, the target looks for the task.
	Command  megakernel.Command
	On       Subject
	Where    *filter.Expr // over WhereFields
	Edit     Place
	Settings []megakernel.Setting
	Break    BreakOrder
	Shape    megakernel.Shape
	For      time.Duration
	Until    *filter.Expr // over metrics, for as long as For says; nil: For alone counts
	Remark   string
	Spawned  Spawned
	File     string // of a recording that begins; megakernel.StopRecording: the one under way ends; "": whichever can be
}

// Place is the word that an edit writes, and what it gets.
type Place struct {
	Word  string // "control[7]"; "" for a word of a task
	Task  uint32
	Index int // of the word in the task
	Value uint32
	Text  string // the value as it was typed, for words that are not numbers
}

// ValueAs is the value for a word of a kind. Its error is layout.ErrValue.
func (p *Place) ValueAs(k layout.Kind) (uint32, error) {
	if v, err := units.Parse(p.Text, 32); err == nil && (k == layout.None || k == layout.Uint) {
		return uint32(v), nil
	}
	return layout.ParseValue(k, p.Text)
}

// UnknownFix says what may have been meant by a word that is not one of the names of commands: a setting without its command,
// or a similar name.
func UnknownFix(word string, names []string) string {
	if _, err := megakernel.ParseSetting(word); err == nil {
		return "write set " + word
	}
	return fault.Use(word, names)
}

// Parse reads a command. The errors are ErrCommand, megakernel.ErrSetting, tasks.ErrName,
// *filter.SyntaxError and breakpoint.ErrCondition.
func Parse(text string) (Order, error) { return ParseFields(strings.Fields(text)) }

// ParseFields is Parse of the words of a command.
func ParseFields(fields []string) (Order, error) {
	if len(fields) == 0 {
		return Order{}, &fault.Error{Kind: ErrCommand, Subject: "the command", Detail: "it is empty", Fix: "write one of " + strings.Join(Names(), ", ")}
	}
	v := Find(fields[0])
	if v == nil {
		return Order{}, &fault.Error{Kind: ErrCommand, Subject: fields[0], Detail: "unknown command", Fix: UnknownFix(fields[0], Names())}
	}
	o, err := v.read(v, fields[1:])
	o.Verb, o.Text = v.Name, strings.Join(fields, " ")
	return o, err
}

func (v *Verb) misuse(format string, args ...any) error {
	return &fault.Error{Kind: ErrCommand, Subject: v.Name, Detail: fmt.Sprintf(format, args...), Fix: "write " + v.Usage}
}

// readSubject reads "all", "worker N" or "task ID", and nothing behind.
func readSubject(v *Verb, args []string) (Order, error) {
	o, rest, err := v.subject(args)
	if err == nil && len(rest) > 0 {
		err = v.misuse("unexpected argument %q", strings.Join(rest, " "))
	}
	return o, err
}

// subject reads what a command is for.
func (v *Verb) subject(args []string) (o Order, rest []string, err error) {
	op := ops[v.Name]
	o.Command.Slot = megakernel.NoSlot
	switch {
	case len(args) == 0:
		return o, nil, v.misuse("missing subject")
	case args[0] == "all":
		o.Command.Op, rest = op[All], args[1:]
	case args[0] == "worker":
		o.On, o.Command.Op = Worker, op[Worker]
	case args[0] == "task":
		o.On, o.Command.Op = Task, op[Task]
	case args[0] == "tasks":
		o.On, o.Command.Op = Where, op[Task]
	default:
		return o, nil, v.misuse("invalid subject %q: must be all, worker, task or tasks", args[0])
	}
	switch {
	case o.Command.Op == megakernel.OpNone:
		return o, nil, v.misuse("cannot be used for %s", map[Subject]string{All: "all", Worker: "workers", Task: "tasks", Where: "tasks"}[o.On])
	case o.On == All:
		return o, rest, nil
	case len(args) < 2:
		return o, nil, v.misuse("missing %s", args[0])
	case o.On == Where:
		rest, err = o.where(args[1:])
		if err == nil && len(rest) == len(args)-1 { // the priority of a requeue is all that was given
			err = v.misuse("missing condition or priority behind tasks")
		}
		return o, rest, err
	}
	n, err := megakernel.ParseTaskName(args[1])
	if err != nil {
		return o, nil, v.misuse("invalid %[2]s ID %[1]q", args[1], args[0])
	}
	if o.On == Worker {
		o.Command.Worker, o.Command.Slot = n, 0
	} else {
		o.Command.Task = n
	}
	return o, args[2:], nil
}

// where reads the condition of "tasks WHERE", up to the priority of a requeue, which is left over.
func (o *Order) where(args []string) (rest []string, err error) {
	if o.Command.Op == megakernel.OpRequeueTask || o.Command.Op == megakernel.OpReprioritize {
		last := len(args) - 1
		args, rest = args[:last], args[last:]
	}
	o.Where, err = filter.Parse(strings.Join(args, " "), WhereFields())
	return rest, err
}

// readEpoch reads "+1" or the epoch to advance to.
func readEpoch(v *Verb, args []string) (o Order, err error) {
	o.Command = megakernel.Command{Op: megakernel.OpAdvanceEpoch, Slot: megakernel.NoSlot}
	if len(args) != 1 {
		return o, v.misuse("say by how much, or to which epoch")
	}
	text, relative := strings.CutPrefix(args[0], "+")
	n, err := units.Parse(text, 32)
	switch {
	case err != nil || relative && n == 0:
		return o, v.misuse("invalid epoch %q", args[0])
	case relative && n > maxEpochs:
		return o, v.misuse("%d epochs at once are too many: at most %d", n, maxEpochs)
	case relative:
		o.Command.Arg = uint32(n)
	default:
		o.Command.Desired = uint32(n)
	}
	return o, nil
}

// maxEpochs bounds a step: one of half the range of a word would go back.
const maxEpochs = 1<<31 - 1

func readStep(v *Verb, args []string) (Order, error) {
	o, rest, err := v.subject(args)
	o.Command.Arg = 1
	switch {
	case err != nil || len(rest) == 0:
		return o, err
	case len(rest) > 1:
		return o, v.misuse("unexpected argument %q", strings.Join(rest[1:], " "))
	}
	n, err := units.Parse(rest[0], 32)
	if err != nil || n == 0 {
		return o, v.misuse("invalid number of activations %q: must be 1 to %d", rest[0], uint32(math.MaxUint32))
	}
	o.Command.Arg = uint32(n)
	return o, nil
}

func readPriority(v *Verb, args []string) (Order, error) {
	o, rest, err := v.subject(args)
	if err != nil {
		return o, err
	}
	if len(rest) != 1 {
		return o, v.misuse("say which task and which priority")
	}
	p, err := tasks.ParsePriority(rest[0])
	if err != nil {
		detail, fix := fault.Parts(err)
		return o, &fault.Error{Kind: ErrCommand, Subject: v.Name, Detail: detail, Fix: fix}
	}
	o.Command.Arg = uint32(p)
	return o, nil
}

func readEdit(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Edit}
	if len(args) < 2 {
		return o, v.misuse("say which word, and what it gets")
	}
	last := len(args) - 1
	value, err := units.Parse(args[last], 32)
	o.Edit.Value, o.Edit.Text = uint32(value), args[last]
	if args[0] == "control.epoch" {
		return o, &fault.Error{Kind: ErrCommand, Subject: v.Name, Detail: "the kernel keeps control.epoch", Fix: "use epoch +N, or epoch N"}
	}
	if args[0] != "task" && typed(args[0]) {
		o.Edit.Word = strings.Join(args[:last], " ")
		return o, nil
	}
	if err != nil {
		return o, v.misuse("invalid 32-bit number %q", args[last])
	}
	if args[0] != "task" {
		o.Edit.Word = strings.Join(args[:last], " ")
		return o, nil
	}
	if last != 3 {
		return o, v.misuse("say which task, and which word of it")
	}
	if o.Edit.Task, err = megakernel.ParseTaskName(args[1]); err != nil {
		return o, v.misuse("invalid task ID %q", args[1])
	}
	if o.Edit.Index = slices.Index(tasks.WordNames[:], args[2]); o.Edit.Index < 0 {
		return o, v.misuse("unknown word %q of a task", args[2])
	}
	return o, nil
}

func readLog(v *Verb, args []string) (o Order, err error) {
	o.Kind = Set
	if len(args) == 0 {
		return o, v.misuse("missing what to log")
	}
	o.Settings, err = megakernel.ParseLog(args)
	return o, err
}

// typed reports whether a word may have another type than a number, which only the target knows.
func typed(place string) bool {
	buffer := place
	if end := strings.IndexAny(place, ".["); end >= 0 {
		buffer = place[:end]
	}
	return !slices.Contains(words.Buffers, buffer)
}

func readSet(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Set}
	if len(args) == 0 {
		return o, v.misuse("say what to change: %s", strings.Join(settingWords(), " "))
	}
	for _, a := range args {
		s, err := megakernel.ParseSetting(a)
		if err != nil {
			return o, err
		}
		o.Settings = append(o.Settings, s)
	}
	return o, nil
}

// readRetune reads settings of the shape only; "groups" is another word for workers.
func readRetune(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Set}
	if len(args) == 0 {
		return o, v.misuse("nothing to change was given")
	}
	for _, a := range spelledOut(args) {
		name, value, _ := strings.Cut(a, "=")
		s := megakernel.Setting{ID: megakernel.WorkersSetting}
		switch name {
		case "workers", "groups":
		case "lanes":
			s.ID = megakernel.LanesSetting
		default:
			return o, v.misuse("%q is neither workers nor lanes", name)
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 1 {
			return o, v.misuse("%q does not set a number of at least 1", a)
		}
		s.Value = n
		o.Settings = append(o.Settings, s)
	}
	return o, nil
}

// spelledOut writes a shape as its two settings: 2x8, or 2×8 as the screen has it.
func spelledOut(args []string) []string {
	if len(args) != 1 {
		return args
	}
	workers, lanes, ok := strings.Cut(strings.ReplaceAll(args[0], "×", "x"), "x")
	if !ok || strings.Contains(args[0], "=") {
		return args
	}
	return []string{"workers=" + workers, "lanes=" + lanes}
}

// readApply reads a shape as retune does; nothing means the recommended one.
func readApply(v *Verb, args []string) (Order, error) {
	if len(args) == 0 {
		return Order{Kind: Try}, nil
	}
	o, err := readRetune(v, args)
	o.Kind = Try
	for _, s := range o.Settings {
		if s.ID == megakernel.WorkersSetting {
			o.Shape.Workers = int(s.Value)
		} else {
			o.Shape.Lanes = int(s.Value)
		}
	}
	o.Settings = nil
	return o, err
}

// maxRemark bounds a remark, in bytes: it is one line of the events.
const maxRemark = 200

func readNote(v *Verb, args []string) (Order, error) {
	o := Order{Kind: Note, Remark: strings.Join(args, " ")}
	switch {
	case o.Remark == "":
		return o, v.misuse("missing text")
	case len(o.Remark) > maxRemark:
		return o, v.misuse("the text has %d bytes, at most %d are allowed", len(o.Remark), maxRemark)
	}
	return o, nil
}

func readNothing(k Kind) func(*Verb, []string) (Order, error) {
	return func(v *Verb, args []string) (Order, error) {
		if len(args) > 0 {
			return Order{Kind: k}, v.misuse("unexpected argument %q", strings.Join(args, " "))
		}
		return Order{Kind: k}, nil
	}
}
