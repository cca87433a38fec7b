package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/view"
)

// verb is a command that can be typed behind ":".
type verb struct {
	name, usage string
	writes      bool
	replay      bool     // for recordings only
	words       []string // what completes behind it
	run         func(m *model, args []string) (tea.Cmd, error)
}

func verbs() []verb {
	out := []verb{
		{name: "quit", usage: "quit", run: func(m *model, _ []string) (tea.Cmd, error) { return m.quit(), nil }},
		{name: "q", usage: "q", run: func(m *model, _ []string) (tea.Cmd, error) { return m.quit(), nil }},
		{name: "help", usage: "help", run: func(m *model, _ []string) (tea.Cmd, error) { m.modal = newHelp(m); return nil, nil }},
		{name: "freeze", usage: "freeze", run: func(m *model, _ []string) (tea.Cmd, error) { m.freeze(); return nil, nil }},
		{name: "retune", usage: "retune workers=N lanes=M", writes: true, words: []string{"workers=", "lanes="}, run: (*model).typedRetune},
		{name: "pause", usage: "pause all | worker N | task ID", writes: true, words: subjectWords, run: typedOrder(pauseOrder, megakernel.OpPauseAll)},
		{name: "resume", usage: "resume all | worker N | task ID", writes: true, words: subjectWords, run: typedOrder(resumeOrder, megakernel.OpResumeAll)},
		{name: "step", usage: "step worker N [activations]", writes: true, words: []string{"worker"}, run: (*model).typedStep},
		{name: "requeue", usage: "requeue task ID priority", writes: true, words: priorityWords(), run: (*model).typedRequeue},
		{name: "seek", usage: "seek 00:12.5, or :seek -4s for back from here", run: (*model).typedSeek},
		{name: "live", usage: "live", run: (*model).typedLive},
		{name: "speed", usage: "speed 2", replay: true, run: (*model).typedSpeed},
	}
	out = append(out,
		verb{name: "set", usage: "set workers=4 tenant-quota.3=500", writes: true, words: knobNames(), run: (*model).typedSet},
		verb{name: "edit", usage: "edit control[141] 77, or :edit task ID param 5", writes: true, words: slices.Concat(view.BufferNames(), []string{"task"}), run: (*model).typedEdit},
		verb{name: "window", usage: "window 5s, or :window all", words: []string{"all"}, run: (*model).typedWindow},
		verb{name: "undo", usage: "undo", writes: true, run: func(m *model, _ []string) (tea.Cmd, error) { return m.undoLast(), nil }},
		verb{name: "watch", usage: "watch control[128],x", words: view.BufferNames(), run: (*model).typedWatch},
		verb{name: "what-if", usage: "what-if queue_len=4096", words: view.InputNames(), run: (*model).typedWhatIf},
		verb{name: "memory", usage: "memory control|ring|workers [word]", words: view.BufferNames(), run: (*model).typedMemory},
	)
	for v := range keymap.NumViews {
		if v == keymap.Memory {
			continue
		}
		out = append(out, verb{name: v.String(), usage: v.String() + " [/filter]", run: func(m *model, args []string) (tea.Cmd, error) {
			return nil, m.typedView(v, strings.Join(args, " "))
		}})
	}
	return out
}

var subjectWords = []string{"all", "worker", "task"}

func priorityWords() []string {
	words := []string{"task"}
	for p := range tasks.Priority(tasks.NumPriorities) {
		words = append(words, p.String())
	}
	return words
}

// openCommand edits a command line.
func (m *model) openCommand() {
	m.open(&input{
		sign: ':', accept: (*model).execute, cancel: func(*model) {},
		complete: func(text string) []string { return m.completions(text) },
	})
}

// available are the verbs that can be used now.
func (m *model) available() []verb {
	return slices.DeleteFunc(verbs(), func(v verb) bool {
		return (v.writes && m.sink == nil) || (v.replay && m.live())
	})
}

func (m *model) completions(text string) []string {
	fields := strings.Fields(text)
	if len(fields) > 1 || (len(fields) == 1 && strings.HasSuffix(text, " ")) {
		for _, v := range m.available() {
			if v.name == fields[0] {
				return v.words
			}
		}
		return nil
	}
	var names []string
	for _, v := range m.available() {
		names = append(names, v.name)
	}
	return names
}

// execute runs a typed command.
func (m *model) execute(text string) (tea.Cmd, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, nil
	}
	var names []string
	for _, v := range m.available() {
		if v.name == fields[0] {
			return v.run(m, fields[1:])
		}
		names = append(names, v.name)
	}
	detail := "there is no such command"
	if slices.ContainsFunc(verbs(), func(v verb) bool { return v.name == fields[0] }) {
		detail = "not possible here: the view is read-only, or this is for recordings only"
	}
	return nil, &CommandError{Command: fields[0], Detail: detail, Fix: "use one of " + strings.Join(names, ", ")}
}

func misuse(name, detail string) error {
	i := slices.IndexFunc(verbs(), func(v verb) bool { return v.name == name })
	return &CommandError{Command: name, Detail: detail, Fix: "write :" + verbs()[i].usage}
}

// typedView shows a view, with a filter when the argument starts with "/".
func (m *model) typedView(v keymap.View, arg string) error {
	if arg != "" && !strings.HasPrefix(arg, "/") {
		return misuse(v.String(), fmt.Sprintf("%q is no filter", arg))
	}
	m.showTab(v)
	if arg == "" {
		return nil
	}
	return m.keepFilter(arg[1:])
}

func (m *model) typedRetune(args []string) (tea.Cmd, error) {
	s := m.shape()
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return nil, misuse("retune", fmt.Sprintf("%q does not set a number of at least 1", a))
		}
		switch name {
		case "workers", "groups":
			s.Workers = n
		case "lanes":
			s.Lanes = n
		default:
			return nil, misuse("retune", fmt.Sprintf("%q is neither workers nor lanes", name))
		}
	}
	if err := m.checkShape(s); err != nil || len(args) == 0 {
		if err == nil {
			err = misuse("retune", "nothing to change was given")
		}
		return nil, err
	}
	return m.retune(s), nil
}

// shape is the present shape of the target.
func (m *model) shape() megakernel.Shape {
	if s := m.latest.Snap; s != nil {
		return megakernel.Shape{Workers: s.Workers, Lanes: s.Lanes}
	}
	return megakernel.Shape{Workers: m.target.MaxWorkers, Lanes: m.target.WorkgroupSize}
}

func (m *model) checkShape(s megakernel.Shape) error {
	if most := m.target.MaxWorkers; most > 0 && s.Workers > most {
		return misuse("retune", fmt.Sprintf("%d workers asked for, this target was started for at most %d", s.Workers, most))
	}
	if most := m.target.WorkgroupSize; most > 0 && s.Lanes > most {
		return misuse("retune", fmt.Sprintf("%d lanes asked for, a workgroup has %d", s.Lanes, most))
	}
	return nil
}

// typedOrder makes a verb of an order: for all workers, one worker or one task.
func typedOrder(o order, all megakernel.CommandOp) func(*model, []string) (tea.Cmd, error) {
	return func(m *model, args []string) (tea.Cmd, error) {
		if len(args) == 1 && args[0] == "all" {
			return m.everyone(all, o.verb), nil
		}
		s, err := m.typedSubject(o.name, args)
		if err != nil {
			return nil, err
		}
		return m.command(o, s), nil
	}
}

// typedSubject reads "worker N" or "task ID".
func (m *model) typedSubject(name string, args []string) (subject, error) {
	if len(args) != 2 || (args[0] != "worker" && args[0] != "task") {
		return subject{}, misuse(name, "say what it is for")
	}
	n, err := view.ParseTask(args[1])
	if err != nil {
		return subject{}, misuse(name, fmt.Sprintf("%q is no number of a %s", args[1], args[0]))
	}
	if args[0] == "worker" {
		if m.latest.Worker(int(n)) == nil {
			return subject{}, misuse(name, fmt.Sprintf("there is no worker %d, they go from 0 to %d", n, len(m.latest.Workers)-1))
		}
		return subject{key: uint64(n)}, nil
	}
	slot, ok := m.latest.FindTask(n, -1)
	if !ok {
		return subject{}, misuse(name, fmt.Sprintf("there is no task %s, or it has ended", view.TaskName(n)))
	}
	return subject{task: true, key: view.TaskKey(n, slot)}, nil
}

func (m *model) typedStep(args []string) (tea.Cmd, error) {
	o := stepOrder
	if len(args) == 3 {
		n, err := strconv.ParseUint(args[2], 0, 32)
		if err != nil || n == 0 {
			return nil, misuse("step", fmt.Sprintf("%q is no number of activations", args[2]))
		}
		o.arg, args = uint32(n), args[:2]
	}
	s, err := m.typedSubject("step", args)
	if err == nil && s.task {
		err = misuse("step", "only workers can be stepped")
	}
	if err != nil {
		return nil, err
	}
	return m.command(o, s), nil
}

func (m *model) typedRequeue(args []string) (tea.Cmd, error) {
	if len(args) != 3 {
		return nil, misuse("requeue", "say which task and which priority")
	}
	p, err := tasks.ParsePriority(args[2])
	if err != nil {
		return nil, err
	}
	s, err := m.typedSubject("requeue", args[:2])
	if err == nil && !s.task {
		err = misuse("requeue", "only tasks can be requeued")
	}
	if err != nil {
		return nil, err
	}
	return m.command(requeueOrder(p), s), nil
}
