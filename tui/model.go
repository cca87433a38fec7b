package tui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"vyretop/megakernel/health"
	"vyretop/megakernel/safe"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// model is the whole state of the dashboard. Only Update and what it calls change it.
type model struct {
	*shared
	*views

	feed     *feed
	position *position
	control  *control
	editor   *editor
	breaks   *breakpoints
	leaving  *leaving
	commands *commandLine
	files    *files
	alerts   *alerts
	themes   *themes
	chrome   *chrome
	pointer  *pointer

	title string
	idle  chan<- struct{}

	reload  func() (Configured, error)
	actions map[string]action

	ticking bool // a clock message is on its way

	details details
	copier  copier

	sizes     layout.Sizes // of panes
	explainer Explainer

	screen
}

// screen is what was drawn last.
type screen struct {
	canvas   cells.Buffer
	text     []byte // of the canvas, with styles
	content  string // the same, for the terminal library
	dirty    bool
	colorful bool // the terminal has enough colors for pictures: sixteen, which users choose, are too few
	drawn    time.Time
	heading  string // of the terminal's window
}

func newModel(o Options) (*model, error) {
	if o.Source == nil {
		return nil, ErrOptions
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	th, err := o.theme()
	if err != nil {
		return nil, err
	}
	if o.Keys == nil {
		o.Keys = pane.Keys()
	}
	m := &model{
		shared: &shared{
			ctx: context.Background(), now: time.Now, target: o.Source.Target(), transport: o.Transport, look: pane.Look{Theme: th},
			home: homeOf(o.Environ),
		},
		copier: copier{subject: o.Subject, clipboard: hasClipboard(o.Environ)}, title: cmp.Or(o.Title, "vyretop"), idle: o.Idle,
		actions: actions(), screen: screen{dirty: true}, explainer: o.Explain, reload: o.Reload,
	}
	if !o.ReadOnly && o.Transport == nil {
		m.sink = o.Sink
	}
	m.can = abilitiesOf(o.Source, m.sink, o.Transport)
	m.connect(&o)
	m.colorful = m.profile() >= colorprofile.ANSI256
	if err := m.control.script.check(m.verbs()); err != nil {
		return nil, err
	}
	m.heading = safe.Text(m.title + " " + m.target.Workload)
	m.refresh()
	if o.Hint != "" {
		m.say(theme.Strong, o.Hint)
	}
	err = m.preset()
	m.restore()
	if o.Owner != nil {
		m.goTo(o.Owner.Place)
	}
	return m, err
}

// connect makes the parts of the dashboard.
func (m *model) connect(o *Options) {
	m.feed = &feed{shared: m.shared, source: o.Source, updates: o.Source.Updates(), fps: o.FPS, past: new(history.History), earlier: health.Lookback{Window: stallWindow}}
	if m.feed.fps <= 0 {
		m.feed.fps = DefaultFPS
	}
	m.feed.interval = m.feed.minInterval()
	m.position = &position{shared: m.shared, shell: m, feed: m.feed, scrub: scrub{snapshots: history.Snapshots{Budget: o.HistoryBytes}}}
	m.commands = &commandLine{shared: m.shared, shell: m, history: map[rune][]string{}, script: playlist{name: o.ScriptName, lines: o.Script, ready: o.Ready}}
	m.control = &control{shared: m.shared, shell: m, script: &m.commands.script, window: measureWindow}
	m.editor = &editor{shared: m.shared, shell: m}
	m.breaks = &breakpoints{shared: m.shared, shell: m}
	m.leaving = &leaving{shared: m.shared, shell: m, owner: o.Owner}
	m.files = &files{shared: m.shared, shell: m, environ: o.Environ, opener: o.Open, saver: o.Save}
	m.alerts = &alerts{shell: m, watch: o.Alerts}
	m.themes = newThemes(m.shared, o)
	m.chrome = &chrome{shell: m, keys: o.Keys, version: o.Version}
	m.details.shared, m.details.shell = m.shared, m
	m.copier.shared, m.copier.shell = m.shared, m
	m.pointer = &pointer{shared: m.shared, shell: m, mouse: !o.Without.Mouse}
	m.views = newViews(m, o)
}

// preset hides finished tasks at first: their slots stay until they are used again. The filter is in
// the title of the table and goes away as any other.
func (m *model) preset() error {
	m.tab = keymap.Tasks
	err := m.table().SetFilter(pane.DoneHidden)
	m.showTab(keymap.Overview)
	m.lastTab = keymap.Overview
	return err
}

func (fd *feed) minInterval() time.Duration { return time.Second / time.Duration(fd.fps) }

func (m *model) context() keymap.Context {
	return keymap.Context{View: m.tab, Source: m.position.sourceKind(), ReadOnly: m.sink == nil}
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.feed.waitForUpdate(), m.tick(), m.themes.askBackground())
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	m.settle()
	if len(m.control.script.lines) > 0 || m.control.script.ready != nil {
		cmd = tea.Batch(cmd, m.commands.playScript())
	}
	m.dirty = m.dirty || m.stale(msg)
	m.signalIdle()
	return m, tea.Batch(cmd, m.work(), m.tick())
}

// routed is a message of a dashboard to itself: it knows what it is for.
type routed interface{ route(m *model) tea.Cmd }

// handle dispatches a message: those of the terminal here, all others by their own route.
func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case routed:
		return msg.route(m)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.modal != nil {
			return m.modal.paste(m, msg.Content)
		}
	case tea.MouseMsg:
		return m.pointer.onMouse(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.themes.onBackground(msg)
	case tea.FocusMsg:
		m.feed.blurred = false
	case tea.BlurMsg:
		m.feed.blurred = true
	}
	return nil
}

// settle brings what depends on the data back into bounds after a message was handled.
func (m *model) settle() {
	if m.message.text != "" && m.now().After(m.message.until) {
		m.message = message{}
	}
	if m.control.requests.waiting() > 0 {
		m.outdate() // waiting times are part of the rows
	}
	m.views.settle()
}

// key gives a key to the open dialog, or starts the action that is bound to it.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return m.leaving.interrupt()
	case "alt+esc": // Esc twice in a hurry
		esc := tea.KeyPressMsg{Code: tea.KeyEscape}
		return tea.Batch(m.key(esc), m.key(esc))
	case "ctrl+z":
		return m.run(keymap.Suspend)
	}
	if m.modal != nil {
		return m.modal.key(m, msg)
	}
	b := m.chrome.keys.Find(msg.String(), m.context())
	if b == nil {
		m.refuse(msg.String())
		return nil
	}
	m.message = message{}
	return m.run(b.ID)
}

// refuse says why a key does nothing that would do something for who may steer.
func (m *model) refuse(key string) {
	c := m.context()
	if !c.ReadOnly || !m.live() {
		return
	}
	c.ReadOnly = false
	if b := m.chrome.keys.Find(key, c); b != nil {
		m.say(theme.Warning, fmt.Sprintf("%s (%s) needs control. Fix: --control, not --readonly", key, cmp.Or(b.Short, b.ID)))
	}
}

func (m *model) run(id string) tea.Cmd {
	if own := m.shown().Spec().Keys[id]; own != nil {
		own()
		return nil
	}
	if act, ok := m.actions[id]; ok {
		return act(m)
	}
	return nil
}

func (m *model) signalIdle() {
	if m.idle == nil || m.control.requests.waiting() > 0 || m.position.search.stop != nil || m.working() {
		return
	}
	select {
	case m.idle <- struct{}{}:
	default:
	}
}

// modal is a dialog that takes all keys while it is open.
type modal interface {
	key(m *model, msg tea.KeyPressMsg) tea.Cmd
	paste(m *model, text string) tea.Cmd
	draw(m *model, screen cells.Area, footer cells.Area)
}
