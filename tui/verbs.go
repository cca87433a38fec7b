package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel/command"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// verb is a command that can be typed behind ":".
type verb struct {
	name, usage string
	writes      bool
	replay      bool     // for recordings only
	buffers     bool     // a buffer may be named
	paths       bool     // a file may be named
	columns     bool     // columns of the current table may be named
	words       []string // what completes behind it
	run         func(m *model, args []string) (tea.Cmd, error)
}

// commandLine is the line behind ":" and the script.
type commandLine struct {
	*shared

	shell   *model
	history map[rune][]string // earlier lines of each prompt
	script  playlist
}

func shellVerbs() []verb {
	out := []verb{
		{name: "quit", usage: "quit", run: func(m *model, _ []string) (tea.Cmd, error) { return m.leaving.quit(), nil }},
		{name: "q", usage: "q", run: func(m *model, _ []string) (tea.Cmd, error) { return m.leaving.quit(), nil }},
		{name: "help", usage: "help", run: func(m *model, _ []string) (tea.Cmd, error) { m.modal = newHelp(m); return nil, nil }},
		{name: "freeze", usage: "freeze", run: func(m *model, _ []string) (tea.Cmd, error) { m.position.freeze(); return nil, nil }},
		{name: "seek", usage: "seek 00:12.5, :seek -4s for back from here, :seek ~fault for the log", run: func(m *model, args []string) (tea.Cmd, error) { return m.position.typedSeek(args) }},
		{name: "sample", usage: "sample -10", run: func(m *model, args []string) (tea.Cmd, error) { return m.position.typedSample(args) }},
		{name: "open", usage: "open FILE", paths: true, run: func(m *model, args []string) (tea.Cmd, error) { return m.files.typedOpen(args) }},
		{name: "close", usage: "close", run: func(m *model, a0 []string) (tea.Cmd, error) { return m.files.typedClose(a0) }},
		{name: "live", usage: "live", run: func(m *model, a0 []string) (tea.Cmd, error) { return m.position.typedLive(a0) }},
		{name: "speed", usage: "speed 2", replay: true, run: func(m *model, args []string) (tea.Cmd, error) { return m.position.typedSpeed(args) }},
	}
	for i := range command.Verbs {
		v := &command.Verbs[i]
		if v.Name == "wait" || v.Name == keymap.Watch || v.Name == string(keymap.Log) { // only scripts wait; views read the others
			continue
		}
		out = append(out, verb{name: v.Name, usage: v.Usage, writes: true, words: v.Words, run: func(m *model, args []string) (tea.Cmd, error) {
			return m.control.typedOrder(v.Name, args)
		}})
	}
	out = append(out,
		verb{name: "sort", usage: "sort -priority yields", columns: true, run: func(m *model, args []string) (tea.Cmd, error) { return m.typedSort(args) }},
		verb{name: "layout", usage: "layout detail=45 log=8 strip=auto, or off", words: []string{"detail=", "log=", "strip="}, run: (*model).typedLayout},
		verb{name: "theme", usage: "theme light", run: func(m *model, args []string) (tea.Cmd, error) { return m.themes.typedTheme(args) }},
	)
	return out
}

// verbs are all commands: those of the shell, of the panes, and one for each other view.
func (vs *views) verbs() []verb {
	out := shellVerbs()
	for _, p := range vs.panes {
		for _, v := range p.Spec().Verbs {
			out = append(out, verb{name: v.Name, usage: v.Usage, words: v.Words, buffers: v.Buffers, run: func(m *model, args []string) (tea.Cmd, error) {
				return nil, ofPane(&v, v.Run(args))
			}})
		}
	}
	for _, k := range pane.Kinds {
		if !slices.ContainsFunc(out, func(o verb) bool { return o.name == string(k.View) }) {
			out = append(out, viewVerb(k.View))
		}
	}
	return out
}

// viewVerb shows a view. That of the log is a command for the target as well.
func viewVerb(v keymap.View) verb {
	if v == keymap.Log {
		log := command.Find(string(v))
		return verb{name: log.Name, usage: log.Name + " [/filter], or :" + log.Usage, words: log.Words, run: func(m *model, args []string) (tea.Cmd, error) { return m.commands.typedLog(args) }}
	}
	return verb{name: string(v), usage: string(v) + " [/filter]", run: func(m *model, args []string) (tea.Cmd, error) {
		return nil, m.commands.typedView(v, strings.Join(args, " "))
	}}
}

// ofPane is an error of a pane's command as one of the command line.
func ofPane(v *pane.Verb, err error) error {
	switch {
	case errors.Is(err, pane.ErrUsage):
		return &fault.Error{Kind: ErrCommand, Subject: ":" + v.Name, Cause: err, Fix: "write :" + v.Usage}
	case errors.Is(err, pane.ErrVerb):
		return &fault.Error{Kind: ErrCommand, Subject: ":" + v.Name, Cause: err}
	}
	return err
}

// openCommand edits a command line.
func (cl *commandLine) openCommand() {
	cl.open(&input{
		sign: ':', accept: func(m *model, text string) (tea.Cmd, error) { return m.commands.execute(text) }, cancel: func(*model) {},
		complete: func(text string) []string { return cl.completions(text) },
	})
}

// typeAs edits a command line that starts as a text.
func (cl *commandLine) typeAs(text string) {
	cl.openCommand()
	if in, ok := cl.modal.(*input); ok {
		in.line.Set(text)
	}
}

// available are the verbs that can be used now.
func (cl *commandLine) available() []verb {
	return slices.DeleteFunc(cl.shell.verbs(), func(v verb) bool {
		return (v.writes && cl.sink == nil) || (v.replay && cl.live())
	})
}

func (cl *commandLine) completions(text string) []string {
	fields := strings.Fields(text)
	if len(fields) > 1 || (len(fields) == 1 && strings.HasSuffix(text, " ")) {
		for _, v := range cl.available() {
			if v.name == fields[0] {
				if v.name == "theme" {
					return cl.shell.themes.names
				}
				if v.paths {
					return cl.shell.files.paths(strings.TrimPrefix(text[strings.LastIndexByte(text, ' '):], " "))
				}
				if v.columns {
					return pane.FieldNames(cl.shell.table().Arrange().Rows.Columns())
				}
				if v.buffers {
					return append(cl.shell.memory.BufferNames(), v.words...)
				}
				return v.words
			}
		}
		return nil
	}
	var names []string
	for _, v := range cl.available() {
		names = append(names, v.name)
	}
	return names
}

// execute runs a typed command.
func (cl *commandLine) execute(text string) (tea.Cmd, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, nil
	}
	var names []string
	for _, v := range cl.available() {
		if v.name == fields[0] {
			return v.run(cl.shell, fields[1:])
		}
		names = append(names, v.name)
	}
	all := cl.shell.verbs()
	if i := slices.IndexFunc(all, func(v verb) bool { return v.name == fields[0] }); i >= 0 {
		return nil, cl.unavailable(&all[i])
	}
	return nil, &fault.Error{Kind: ErrCommand, Subject: ":" + fields[0], Detail: "unknown command", Fix: command.UnknownFix(fields[0], names)}
}

// unavailable says why a command cannot be given here, however it is written.
func (cl *commandLine) unavailable(v *verb) error {
	e := &fault.Error{Kind: ErrControl, Subject: ":" + v.name, Detail: "this dashboard is read-only", Fix: "open it with --control, without --readonly"}
	switch {
	case v.replay:
		e.Detail, e.Fix = "this is for recordings", "open one with :open FILE"
	case !cl.live():
		e.Detail, e.Fix = "a recording cannot be changed", "attach to a live run"
	}
	return e
}

func misuse(name, detail string) *fault.Error {
	usage := viewVerb(keymap.View(name)).usage
	all := shellVerbs()
	if i := slices.IndexFunc(all, func(v verb) bool { return v.name == name }); i >= 0 {
		usage = all[i].usage
	}
	return &fault.Error{Kind: ErrCommand, Subject: ":" + name, Detail: detail, Fix: "write :" + usage}
}

// typedLog shows the log, or changes what the target writes to it.
func (cl *commandLine) typedLog(args []string) (tea.Cmd, error) {
	if len(args) == 0 || strings.HasPrefix(args[0], "/") {
		return nil, cl.typedView(keymap.Log, strings.Join(args, " "))
	}
	if cl.sink == nil {
		return nil, cl.unavailable(&verb{name: string(keymap.Log)})
	}
	return cl.shell.control.typedOrder(string(keymap.Log), args)
}

// typedView shows a view, with a filter when the argument starts with "/".
func (cl *commandLine) typedView(v keymap.View, arg string) error {
	if arg != "" && !strings.HasPrefix(arg, "/") {
		return misuse(string(v), fmt.Sprintf("%q is not a filter", arg))
	}
	cl.shell.showTab(v)
	if arg == "" {
		return nil
	}
	return cl.shell.table().KeepFilter(arg[1:])
}
