package tui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/tui/alert"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/safe"
	"vyretop/tui/theme"
	"vyretop/tui/view"
)

// model is the whole state of the dashboard. Only Update and what it calls change it.
type model struct {
	source    Source
	updates   <-chan struct{}
	sink      Sink // nil when read-only
	transport Transport
	subject   string
	clipboard bool // the terminal has one
	title     string
	version   string
	heading   string // of the terminal's window
	fps       int
	environ   []string
	idle      chan<- struct{}
	ctx       context.Context // ends with Run; every Cmd that can block selects on it
	now       func() time.Time

	keys    []keymap.Binding
	reload  func() (Configured, error)
	actions map[string]action

	width, height int
	target        megakernel.Target
	past          *history.History
	scrub         scrub
	log           logStore
	events        eventStore
	latest        *view.Frame
	frozen        *view.Frame // nil unless the view is frozen
	spare         *view.Frame // memory of an earlier one
	arrived       time.Time   // when the latest snapshot was seen
	ended         bool        // the source said that nothing newer will come

	interval time.Duration // between two looks at the source
	cost     time.Duration // of the last look
	blurred  bool          // the terminal lost the focus
	ticking  bool          // a clock message is on its way

	tab       keymap.View
	lastTab   keymap.View
	tables    [keymap.NumViews]view.TableState
	arranged  arrangement
	arranger  view.Arranger // memory of the order in it
	rows      rows
	allChips  [keymap.NumViews]*view.Chips // nil until the view was shown
	kept      kept
	expanded  bool // the details of the selection take the whole panel
	details   details
	modal     modal
	message   message
	history   map[rune][]string // earlier lines of each prompt
	requests  requests
	search    search
	resorting resorting
	leaving   leaving
	undo      []func(*model) tea.Cmd // take back what was carried out, oldest first

	tail      view.Tail        // where the log below a table is
	logWindow time.Duration    // how far back the log goes; 0: all that is kept
	tree      bool             // tasks as a tree of parents and children
	window    time.Duration    // of measurements
	effect    *tune.Comparison // what looking costs; nil until it was measured
	alerts    *alert.Watch
	ringing   bool   // the bell is to be rung
	saving    string // why the moment is to be saved, "" for not at all
	saver     Saver
	script    playlist
	ring      view.RingState
	memory    memory
	launch    view.LaunchState
	fairness  view.FairnessMode
	timeline  timelinePane

	mouse     bool // the mouse is captured
	lastClick click
	drag      drag
	sizes     layout.Sizes // of panes
	wardrobe  wardrobe
	advice    advice
	explainer Explainer
	breaks    breakState

	opener  Opener
	beneath string // what this was opened over; "" when it was not
	under   *model // the dashboard of that
	diff    diff
	next    next

	remembered map[string]string // how tables were sorted last
	marks      []time.Duration   // in order
	loop       bool              // a recording begins again at its end
	earlier    earlier

	chrome  chrome
	look    view.Look
	canvas  cells.Buffer
	surface *surface // nil without a terminal: frames are text then
	content string
	dirty   bool
	drawn   time.Time // when the screen was drawn last
	still   bool      // the newest snapshot shows nothing new but the time
}

// message is a short text in the footer.
type message struct {
	text  string
	style cells.Style
	until time.Time
}

// messageTime is how long a message stays.
const messageTime = 6 * time.Second

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
		o.Keys = keymap.Default()
	}
	m := &model{
		source: o.Source, updates: o.Source.Updates(), sink: o.Sink, transport: o.Transport,
		subject: o.Subject, clipboard: hasClipboard(o.Environ),
		title: o.Title, version: o.Version, fps: o.FPS, environ: o.Environ, idle: o.Idle,
		ctx: context.Background(), now: time.Now,
		keys: o.Keys, actions: actions(),
		past: new(history.History), history: map[rune][]string{},
		look: view.Look{Theme: th}, dirty: true, mouse: !o.NoMouse,
		wardrobe: newWardrobe(&o), explainer: o.Explain, opener: o.Open,
		remembered: o.Sorting,
		scrub:      scrub{moments: history.Moments{Budget: o.HistoryBytes}},
		window:     measureWindow, alerts: o.Alerts, saver: o.Save, reload: o.Reload,
		timeline: newTimelinePane(),
		leaving:  leaving{owner: o.Owner},
		script:   playlist{name: o.ScriptName, lines: o.Script, ready: o.Ready},
	}
	if err := m.script.check(); err != nil {
		return nil, err
	}
	if o.ReadOnly || o.Transport != nil {
		m.sink = nil
	}
	if m.title == "" {
		m.title = "vyretop"
	}
	if m.fps <= 0 {
		m.fps = DefaultFPS
	}
	m.interval = m.minInterval()
	m.target = m.source.Target()
	m.memory.others = newOthers(m.source)
	m.heading = safe.Text(m.title + " " + m.target.Workload)
	m.refresh()
	if o.Hint != "" {
		m.say(theme.Strong, o.Hint)
	}
	err = m.preset()
	m.restoreSorting()
	return m, err
}

// preset hides finished tasks at first: their slots stay until they are used again. The filter is in
// the title of the table and goes away as any other.
func (m *model) preset() error {
	m.tab = keymap.Tasks
	err := m.setFilter("!state=done")
	m.showTab(keymap.Overview)
	m.lastTab = keymap.Overview
	return err
}

func (m *model) minInterval() time.Duration { return time.Second / time.Duration(m.fps) }

// frame is what is on screen.
func (m *model) frame() *view.Frame {
	if m.frozen != nil {
		return m.frozen
	}
	return m.latest
}

func (m *model) live() bool { return m.transport == nil }

func (m *model) context() keymap.Context {
	return keymap.Context{View: m.tab, Source: m.sourceKind(), ReadOnly: m.sink == nil}
}

func (m *model) table() *view.TableState { return &m.tables[m.tableTab()] }

// say puts a message into the footer.
func (m *model) say(style cells.Style, text string) {
	m.message = message{text: text, style: style, until: m.now().Add(messageTime)}
}

// fail shows an error: in the footer where it fits, else in a box, since it ends in its remedy.
func (m *model) fail(err error) {
	text := err.Error()
	if len(text) < m.width-2 {
		m.say(theme.Danger, text)
		return
	}
	m.modal = &notice{text: text}
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.waitForUpdate(), m.tick(), m.askBackground())
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	m.settle()
	if len(m.script.lines) > 0 || m.script.ready != nil {
		cmd = tea.Batch(cmd, m.playScript())
	}
	m.dirty = m.dirty || m.stale(msg)
	m.signalIdle()
	return m, tea.Batch(cmd, m.readOthers(), m.readTimeline(), m.resort(), m.tick())
}

// handle dispatches a message.
func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case resized:
		m.width, m.height = msg.w, msg.h
	case tea.ModeReportMsg:
		m.surface.onMode(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.modal != nil {
			return m.modal.paste(m, msg.Content)
		}
	case tea.MouseMsg:
		return m.onMouse(msg)
	case tea.BackgroundColorMsg:
		m.onBackground(msg)
	case tea.FocusMsg:
		m.blurred = false
	case tea.BlurMsg:
		m.blurred = true
	case updated:
		return m.onUpdate(msg)
	case ticked:
		m.ticking = false
	case answered:
		return m.onAnswer(msg)
	case detached:
		return m.onDetached(msg)
	case saved:
		m.onSaved(msg)
	case extracted:
		m.onExtracted(msg)
	case ownRead:
		return m.onOwnRead(msg)
	case shapeTried:
		m.onTried(msg)
	case measured:
		m.onMeasured(msg)
	case looked:
		m.onLooked(msg)
	case tried:
		return m.tryOn(msg.trial)
	case linesRead:
		m.onLinesRead(msg)
	case opened:
		m.onOpened(msg)
	case resorted:
		m.onResorted(msg)
	case crashed:
		panic(fmt.Sprintf("BUG: while painting: %v\n%s", msg.what, msg.stack))
	}
	return nil
}

// key gives a key to the open dialog, or starts the action that is bound to it.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return m.interrupt()
	case "alt+esc": // Esc twice in a hurry
		esc := tea.KeyPressMsg{Code: tea.KeyEscape}
		return tea.Batch(m.key(esc), m.key(esc))
	case "ctrl+z":
		return m.run(keymap.Suspend)
	}
	if m.modal != nil {
		return m.modal.key(m, msg)
	}
	b := keymap.Find(m.keys, msg.String(), m.context())
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
	if b := keymap.Find(m.keys, key, c); b != nil {
		m.say(theme.Warning, fmt.Sprintf("%s (%s) needs control. Fix: --control, not --readonly", key, cmp.Or(b.Short, b.ID)))
	}
}

func (m *model) run(id string) tea.Cmd {
	if act, ok := m.actions[id]; ok {
		return act(m)
	}
	return nil
}

func (m *model) signalIdle() {
	if m.idle == nil || m.requests.waiting() > 0 || m.memory.reading || m.search.stop != nil || m.resorting.running || m.timeline.Loading != "" {
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
