package fleet

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/targets"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// model is the screen.
type model struct {
	board

	o      *Options
	ctx    context.Context
	look   pane.Look
	canvas cells.Buffer
	text   []byte

	alerts   *targets.Alerts
	critical int // targets with an alert of that level
	warning  int
	lost     error
	since    time.Time

	modal   modal
	message string
	style   cells.Style
	history map[rune][]string
	busy    int              // targets that have not answered a command
	answers []targets.Answer // to the last command
	opened  *targets.Target  // that the user wants to see
	content string           // of the last frame
	click   lastClick        // of the mouse
}

// lastClick is the last click, to tell a second one on the same row.
type lastClick struct {
	key uint64
	at  time.Time
}

// modal is what takes all keys while it is open.
type modal interface {
	key(m *model, msg tea.KeyPressMsg) tea.Cmd
	draw(m *model, screen, footer cells.Area)
}

// newModel makes the screen; errors are those of filters.
func newModel(ctx context.Context, o *Options) (*model, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &model{o: o, ctx: ctx, look: pane.Look{Theme: o.Look}, alerts: targets.NewAlerts(o.Alerts), history: map[rune][]string{}}
	m.rows.look = o.Look
	m.place.state.Marks, m.place.groups.Marks = map[uint64]bool{}, map[uint64]bool{}
	if o.Place != nil {
		m.place = *o.Place
	} else if err := m.setFilter(o.Filter); err != nil {
		return nil, err
	} else if o.Sort != "" {
		if by, ok := pane.ParseSort(o.Sort, columns); ok {
			m.place.state.SortKey = by
		}
	}
	m.refresh()
	if o.Message != "" {
		m.say(theme.Danger, o.Message)
	}
	return m, nil
}

// refresh takes in what the source has now.
func (m *model) refresh() {
	now := m.o.Now()
	list := m.o.Source.Targets()
	m.warning, m.critical = m.alerts.Observe(list, now)
	m.since, m.lost = m.o.Source.Lost()
	if m.place.frozen == nil {
		m.rows.list, m.rows.now = list, now
	} else {
		m.rows.list = m.place.frozen
	}
	m.arrange()
}

// say shows a message in the footer until the next key.
func (m *model) say(style cells.Style, text string) { m.message, m.style, m.dirty = text, style, true }

// ticked is the clock of the screen.
type ticked struct{}

// refreshTime is the time between two looks at the source: more than five a second.
const refreshTime = 100 * time.Millisecond

func (m *model) tick() tea.Cmd {
	return tea.Tick(refreshTime, func(time.Time) tea.Msg { return ticked{} })
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return m.tick() }

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case ticked:
		select {
		case <-m.o.Source.Updates():
			m.refresh()
		default:
			if m.lost != nil {
				m.dirty = true // its age
			}
		}
		return m, m.tick()
	case tea.WindowSizeMsg:
		m.w, m.h, m.dirty = msg.Width, msg.Height, true
		m.move(0)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		if in, ok := m.modal.(*input); ok {
			in.paste(m, msg.Content)
		}
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case answered:
		return m, m.answered(msg)
	}
	return m, nil
}

// View implements tea.Model. The text is made again only where something has changed.
func (m *model) View() tea.View {
	if m.dirty && m.w > 0 && m.h > 0 {
		m.draw()
		m.text = m.canvas.Append(m.text[:0], m.look.Palette, m.o.Color)
		if string(m.text) != m.content {
			m.content = string(m.text)
		}
		m.dirty = false
	}
	v := tea.NewView(m.content)
	v.AltScreen, v.WindowTitle = true, "vyretop fleet"
	if !m.o.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}
