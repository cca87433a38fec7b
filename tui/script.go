package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel/command"
)

// playlist is a script: commands that are carried out one after the other, each when the effect of the one before is
// on screen. One that fails ends it.
type playlist struct {
	name    string
	lines   []command.Line
	running bool            // a line is being carried out: nothing is asked
	wait    *command.Order  // nil unless it waits
	over    time.Time       // when a wait for a time is over
	waiter  *command.Waiter // nil unless it waits for a condition
	ready   func()          // called when it waits, or has ended; nil when it was
}

// tellReady calls ready once the script has carried out all that it can without time passing.
func (s *playlist) tellReady(open int) {
	if s.ready != nil && (s.wait != nil || len(s.lines) == 0 && open == 0) {
		s.ready()
		s.ready = nil
	}
}

// scriptWait says that a script has waited for long enough.
type scriptWait struct{}

func (scriptWait) route(*model) tea.Cmd { return nil } // the script continues after every message

// check finds unknown commands.
func (p *playlist) check(known []verb) error {
	for _, l := range p.lines {
		name, _, _ := strings.Cut(l.Text, " ")
		if command.Find(name) != nil || slices.ContainsFunc(known, func(v verb) bool { return v.name == name }) {
			continue
		}
		return command.InLine(p.name, l.Number, &fault.Error{Kind: command.ErrCommand, Subject: name, Detail: "unknown command", Fix: fault.Suggest(name, scriptNames(known), "use one that : completes, or wait")})
	}
	return nil
}

// playScript carries out what can be of the script now.
func (cl *commandLine) playScript() tea.Cmd {
	s := &cl.script
	defer func() { s.tellReady(len(cl.shell.control.requests.open)) }()
	for len(s.lines) > 0 && cl.width > 0 && cl.latest.Snap != nil && len(cl.shell.control.requests.open) == 0 && cl.scriptWaited() {
		line := s.lines[0]
		s.lines = s.lines[1:]
		cmd, err := cl.playLine(line.Text)
		if err != nil {
			s.lines = nil
			cl.fail(command.InLine(s.name, line.Number, err))
		}
		if cmd != nil {
			return cmd
		}
	}
	return nil
}

func (cl *commandLine) playLine(text string) (tea.Cmd, error) {
	if name, _, _ := strings.Cut(text, " "); name != "wait" {
		cl.script.running = true
		defer func() { cl.script.running = false }()
		return cl.execute(text)
	}
	o, err := command.Parse(text)
	if err != nil {
		return nil, err
	}
	cl.script.wait, cl.script.over, cl.script.waiter = &o, cl.now().Add(o.For), nil
	if o.Until != nil {
		cl.script.waiter = o.Waiter()
	}
	ctx := cl.ctx
	return func() tea.Msg {
		select {
		case <-time.After(o.For):
		case <-ctx.Done():
		}
		return scriptWait{}
	}, nil
}

// scriptWaited reports whether what the script waits for is so.
func (cl *commandLine) scriptWaited() bool {
	s := &cl.script
	switch {
	case s.wait == nil:
		return true
	case s.wait.Until == nil && cl.now().Before(s.over):
		return false
	case s.waiter != nil && !s.waiter.Over(cl.latest.Snap, cl.now()):
		return false
	}
	s.wait, s.waiter = nil, nil
	return true
}

// scriptNames are the first words of what a script may have.
func scriptNames(known []verb) []string {
	names := command.Names()
	for i := range known {
		names = append(names, known[i].name)
	}
	return names
}
