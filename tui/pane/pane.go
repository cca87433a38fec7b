package pane

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/graphics"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

// Pane is one view of the dashboard.
type Pane interface {
	// Spec says what the pane is and can do. It does not change.
	Spec() *Spec
	// Table is the rows of the pane, with what is selected in them. Panes of the same rows share it.
	Table() *Table
	// Draw draws the pane.
	Draw(a cells.Area)
	// Move moves the selection by columns and rows.
	Move(columns, rows int)
	// Jump selects the first row, or the last.
	Jump(last bool)
	// Enter opens what is selected. It reports false where that is done by showing its details.
	Enter() bool
	// Click is a press of the left button on the pane in its place. It returns a key of what is under the pointer, if
	// a second click there opens it.
	Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool)
}

// Kind is what is known of a view before it has a target.
type Kind struct {
	keymap.Spec

	New func(*Env, *Kind) Pane // gives the pane its kind

	Want   layout.Want // panes beside it
	Counts bool        // counts of all kinds are below it where there is room
	Head   int         // rows above its first row of data, without that of the chips
	Flat   bool        // each row is one line, also where long texts are wrapped
	Text   bool        // copied as text as it is drawn, not as a table

	Command string       // that prints the same
	Prints  filter.Table // the columns of that command; nil where it takes no filter
}

// Spec is a pane's kind and its optional abilities: functions that are nil where it has none.
type Spec struct {
	*Kind

	Absent bool // the target has nothing of it: it has no tab

	Detail   func(a cells.Area) int                       // draws details of what is selected; the rows that takes
	Of       func() uint64                                // what the details are of, where that is not a row of the table
	Scrolled func(a cells.Area, top int) (rows, page int) // draws a pane with text in it that scrolls as details do
	OverText func(place cells.Rect, x int) bool           // whether that text is at a column of the screen
	Page     func(place cells.Rect) int                   // rows that fit
	Vary     func()                                       // shows the same in another way
	Back     func() bool                                  // goes one level back; false where there is none
	Reset    func()                                       // takes back what the user set
	Again    func()                                       // its digit was pressed while it was shown
	Wheel    func(at tea.Mouse) bool                      // turns of the wheel that do not move the selection
	Keys     map[string]func()                            // actions of its own, by id

	Track   func() (Track, bool)                             // of what is selected, for going from event to event
	Records bool                                             // its rows are the log, which is searched through all of the past
	LogOf   func(key uint64, row int) string                 // the filter of the log for a row; nil: that for its worker
	Edit    func() (Edit, bool)                              // of what is selected
	Task    func() (id uint32, ok bool)                      // that is selected, or that what is selected is about
	Source  func() bool                                      // whether Enter shows source rather than details; nil: never
	Idle    func() bool                                      // whether its own keys have nothing to act on, so that the footer leaves them out; nil: never
	From    func(previous Pane)                              // its key was pressed in another view
	Options func() []string                                  // of the command that prints the same
	Line    func(subject string, at *time.Duration) []string // that whole command, of a live target or a recording at a time; nil: there is none
	Verbs   []Verb

	Hooks
}

// Hooks are what a pane has the shell call, nil for none.
type Hooks struct {
	Settle    func()                                         // brings its state back into bounds after a message
	Read      func(f *Frame, records []megakernel.LogRecord) // takes in a newer frame, and what was written to the log since
	Show      func(f *Frame)                                 // takes in a frame that is shown
	Forget    func()                                         // another time will be shown
	Work      func(shown bool) tea.Cmd                       // what is to be done outside of the dashboard's goroutine; its message is a Message
	Working   func() bool                                    // it is being done
	Picture   func() *graphics.Drawing                       // what the terminal's own pixels show, nil for nothing
	ShowsBase func(t *megakernel.Target) bool                // whether it shows something of the screen that a recording was opened over
}

// Message is the end of a pane's work.
type Message interface {
	// Take shows what was done.
	Take()
}

// Edit is what can be changed of what is selected.
type Edit struct {
	Line string // the command that does, to be completed by the user
	Word WordAt // else the word
}

// Verb is a typed command of a pane.
type Verb struct {
	Name, Usage string
	Words       []string // that complete it
	Buffers     bool     // so do names of buffers
	Run         func(args []string) error
}

// ErrUsage is the kind of what is wrong with a typed command. The shell says how it is written.
const ErrUsage fault.Kind = "wrong usage of a command"

// ErrVerb is the kind of the errors of typed commands that could not be carried out. The shell says which one.
const ErrVerb fault.Kind = "the command failed"

func usage(detail string) error { return &fault.Error{Kind: ErrUsage, Detail: detail} }

func failed(err error) error { return &fault.Error{Kind: ErrVerb, Cause: err} }

// tableHead is the rows above the first row of a table: the title and the heads of the columns.
const tableHead = 2

// tablePane is a pane that is a table.
type tablePane struct {
	*Env

	table   *Table
	spec    Spec
	heading func(a *Arranged) Heading
}

// Spec implements Pane.
func (p *tablePane) Spec() *Spec { return &p.spec }

// Table implements Pane.
func (p *tablePane) Table() *Table { return p.table }

// Move implements Pane.
func (p *tablePane) Move(_, rows int) { p.table.Move(rows) }

// Jump implements Pane.
func (p *tablePane) Jump(last bool) { p.table.Jump(last) }

// Enter implements Pane.
func (p *tablePane) Enter() bool { return false }

// Draw implements Pane: the table below its heading and its chips.
func (p *tablePane) Draw(a cells.Area) {
	arr := p.table.Arrange()
	h := p.heading(arr)
	below := p.Look.DrawHeading(a, h)
	key, chosen := p.ChipBar()
	if c := p.table.ChipsIn(a.Rect, chosen); c != nil {
		line, rest := below.SplitTop(1)
		p.Look.DrawChips(line, c, key, chosen)
		below = rest
	}
	p.Look.DrawTable(below, arr.Rows, &arr.Order, &p.table.TableState, h.Hint)
}

// Click implements Pane: it selects the row under the pointer, or sorts by the column whose head is there.
func (p *tablePane) Click(place cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	a, row := p.table.Arrange(), at.Y-place.Y-HeadOf(p, place)
	switch {
	case row == -1:
		if column, ok := ColumnAt(a.Rows.Columns(), place.W, at.X-place.X); ok {
			p.table.SortColumn(column)
		}
	case row >= 0:
		return p.table.clickAt(p.Look.PositionAt(a.Rows, &a.Order, &p.table.TableState, place.W, row))
	}
	return 0, false
}

// clickAt selects the row at a position, if there is one.
func (t *Table) clickAt(position int) (key uint64, ok bool) {
	if position >= len(t.Arrange().Order.Rows) {
		return 0, false
	}
	t.SelectAt(position)
	return t.Selected, true
}

// HeadOf is the rows of a pane above its first row of data.
func HeadOf(p Pane, place cells.Rect) int {
	s := p.Spec()
	if s.Traits&keymap.HasChips != 0 {
		_, chosen := p.Table().ChipBar()
		if p.Table().ChipsIn(place, chosen) != nil {
			return s.Head + 1
		}
	}
	return s.Head
}

// PageOf is the number of rows of a pane that fit in its place.
func PageOf(p Pane, place cells.Rect) int {
	if page := p.Spec().Page; page != nil {
		return max(page(place), 1)
	}
	return max(place.H-HeadOf(p, place), 1)
}
