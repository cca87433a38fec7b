package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/suggest"
	"vyretop/tui/steer"
)

// playlist is a script: commands that are carried out one after the other, each when the effect of the one before is
// on screen. One that fails ends it.
type playlist struct {
	name    string
	lines   []steer.Line
	running bool         // a line is being carried out: nothing is asked
	wait    *steer.Order // nil unless it waits
	over    time.Time    // when a wait for a time is over
	before  *megakernel.Snapshot
	ready   func() // called when it waits, or has ended; nil when it was
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

// check finds commands that there are not.
func (p *playlist) check() error {
	known := verbs()
	for _, l := range p.lines {
		name, _, _ := strings.Cut(l.Text, " ")
		if steer.Find(name) != nil || slices.ContainsFunc(known, func(v verb) bool { return v.name == name }) {
			continue
		}
		return &steer.LineError{File: p.name, Line: l.Number, Err: &steer.CommandError{Verb: name, Detail: "unknown command", Fix: suggest.Fix(name, scriptNames(known), "use one that : completes, or wait")}}
	}
	return nil
}

// playScript carries out what can be of the script now.
func (m *model) playScript() tea.Cmd {
	s := &m.script
	defer func() { s.tellReady(len(m.requests.open)) }()
	for len(s.lines) > 0 && m.width > 0 && m.latest.Snap != nil && len(m.requests.open) == 0 && m.scriptWaited() {
		line := s.lines[0]
		s.lines = s.lines[1:]
		cmd, err := m.playLine(line.Text)
		if err != nil {
			s.lines = nil
			m.fail(&steer.LineError{File: s.name, Line: line.Number, Err: err})
		}
		if cmd != nil {
			return cmd
		}
	}
	return nil
}

func (m *model) playLine(text string) (tea.Cmd, error) {
	if name, _, _ := strings.Cut(text, " "); name != "wait" {
		m.script.running = true
		defer func() { m.script.running = false }()
		return m.execute(text)
	}
	o, err := steer.Parse(text)
	if err != nil {
		return nil, err
	}
	m.script.wait, m.script.over = &o, m.now().Add(o.For)
	ctx := m.ctx
	return func() tea.Msg {
		select {
		case <-time.After(o.For):
		case <-ctx.Done():
		}
		return scriptWait{}
	}, nil
}

// scriptWaited reports whether what the script waits for is so.
func (m *model) scriptWaited() bool {
	s := &m.script
	switch {
	case s.wait == nil:
		return true
	case s.wait.Until == nil && m.now().Before(s.over):
		return false
	case s.wait.Until != nil && !s.wait.Holds(m.latest.Snap, s.before):
		s.before = m.latest.Snap
		return false
	}
	s.wait = nil
	return true
}

// scriptNames are the first words of what a script may have.
func scriptNames(known []verb) []string {
	names := steer.Names()
	for i := range known {
		names = append(names, known[i].name)
	}
	return names
}
