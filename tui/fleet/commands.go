package fleet

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel/command"
	"vyretop/megakernel/targets"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/prompt"
	"vyretop/tui/theme"
)

// answered is what a target made of a command; over is true once all have answered.
type answered struct {
	targets.Answer
	over bool
	next <-chan answered
}

// openCommand edits a command.
func (m *model) openCommand() {
	in := &input{sign: ':', line: prompt.New(m.history[':']), complete: command.Names}
	in.accept = func(text string) (tea.Cmd, error) {
		if strings.TrimSpace(text) == "" {
			return nil, nil
		}
		if _, err := command.Parse(text); err != nil {
			return nil, err
		}
		return m.ask(text), nil
	}
	m.modal = in
}

// ask asks whether to give a command to the targets that are meant.
func (m *model) ask(text string) tea.Cmd {
	o, err := command.Parse(text)
	if err != nil {
		m.say(theme.Danger, err.Error())
		return nil
	}
	list := m.meant()
	switch {
	case len(list) == 0:
		m.say(theme.Warning, "no live target is selected, marked or filtered")
		return nil
	case m.busy > 0:
		m.say(theme.Warning, fmt.Sprintf("%s: %s yet to answer the last command", o.Text, units.Plural(m.busy, "target")))
		return nil
	}
	m.modal = &question{order: o, list: list}
	return nil
}

// question asks before a command is given.
type question struct {
	order command.Order
	list  []*targets.Target
}

func (q *question) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	m.modal = nil
	if k := msg.String(); k != "y" && k != "Y" {
		m.say(theme.Plain, "nothing was done")
		return nil
	}
	m.busy, m.answers = len(q.list), nil
	m.say(theme.Plain, fmt.Sprintf("%s: asked %s", q.order.Text, units.Plural(len(q.list), "target")))
	answers := make(chan answered)
	go func() {
		defer close(answers)
		m.o.Command(m.ctx, q.list, q.order, func(a targets.Answer) {
			select {
			case answers <- answered{Answer: a, next: answers}:
			case <-m.ctx.Done():
			}
		})
	}()
	return await(m, answers)
}

// await waits for the next answer.
func await(m *model, answers <-chan answered) tea.Cmd {
	return func() tea.Msg {
		select {
		case a, ok := <-answers:
			if ok {
				return a
			}
		case <-m.ctx.Done():
		}
		return answered{over: true}
	}
}

// maxNamed bounds the targets that a question names.
const maxNamed = 8

func (q *question) draw(m *model, screen, footer cells.Area) {
	names := make([]string, 0, maxNamed+1)
	for i, t := range q.list {
		if i == maxNamed {
			names = append(names, fmt.Sprintf("and %d others", len(q.list)-maxNamed))
			break
		}
		names = append(names, t.Title())
	}
	text := fmt.Sprintf("%s on %s: %s", q.order.Text, units.Plural(len(q.list), "target"), strings.Join(names, ", "))
	lines := pane.Lines(text, screen.W-4)
	h := min(len(lines)+2, screen.H-1)
	box := screen.Sub(cells.Rect{Y: screen.H - 1 - h, W: screen.W, H: h})
	box.Fill(' ', theme.Plain)
	inner := m.look.Glyphs.Box(box, theme.Warning)
	pane.Wrap(inner.Sub(cells.Rect{X: 1, W: inner.W - 2, H: inner.H}), text, theme.Plain)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "y does it, any other key does not", theme.Key)
}

// answered notes an answer; behind the last one the screen shows what failed.
func (m *model) answered(a answered) tea.Cmd {
	m.dirty = true
	if !a.over {
		m.busy--
		m.answers = append(m.answers, a.Answer)
		return await(m, a.next)
	}
	m.busy = 0
	failed := 0
	var lines []string
	for _, x := range m.answers {
		text := x.Text
		if x.Err != nil {
			failed++
			text = x.Err.Error()
		}
		lines = append(lines, x.Title+": "+text)
	}
	if failed > 0 {
		m.modal = &page{title: fmt.Sprintf("%d of %s did not carry it out", failed, units.Plural(len(m.answers), "target")), lines: lines}
		return nil
	}
	if len(lines) == 1 {
		m.say(theme.Good, lines[0])
	} else {
		m.say(theme.Good, units.Plural(len(lines), "target")+" carried it out")
	}
	return nil
}
