package pane

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Chip is a value of a column that a filter can show or hide. It has its place once rows had the value, or the filter
// names it; from then on it stays, so that chips do not move.
type Chip struct {
	filter.Value
	Style  cells.Style
	seen   bool // rows had the value
	listed bool // the filter names it
	Hidden bool // rows with it are hidden
}

func (c *Chip) shown() bool { return c.seen || c.listed }

// width is that of its text behind a space and the sign of what is hidden.
func (c *Chip) width() int { return 2 + utf8.RuneCountInString(c.Text) }

// ChipKind is the chips of a column.
type ChipKind struct {
	Name   string
	Column int
	Chips  []Chip
	All    bool            // no row has another value
	More   func() []string // texts of rows that have no chip where All is set; may be nil
}

// Chips are the kinds of rows that a table shows and hides. They are another way to write its filter: what they show
// is read from it, and what they do changes it.
type Chips struct {
	Kinds []ChipKind
	Open  int // kind whose chips are in sight even where there is little room

	see     func(*Chips, *Frame) // notes the values that the rows of a frame have
	next    uint64               // for see: what it has not looked at yet
	looked  snapshotID           // that see has looked at
	columns []Column
	filter  *filter.Expr // that the chips show
	clauses *filter.Clauses
	marks   int // changes of what is seen and listed
	placed  chipPlaces
}

// Restrict refuses a filter that compares with what no row has.
func (c *Chips) Restrict(e *filter.Expr) error {
	for _, k := range c.Kinds {
		if !k.All {
			continue
		}
		texts := make([]string, len(k.Chips))
		for i, chip := range k.Chips {
			texts[i] = chip.Value.Text
		}
		var more []string
		if k.More != nil {
			more = k.More()
		}
		if err := e.Restrict(k.Column, k.Name, texts, more...); err != nil {
			return err
		}
	}
	return nil
}

// snapshotID distinguishes snapshots.
type snapshotID struct {
	taken time.Duration
	seq   uint64
}

// Follow brings the chips up to a frame and the filter of the table.
func (c *Chips) Follow(f *Frame, s *TableState) {
	if f.Snap != nil {
		if now := (snapshotID{f.Snap.Taken, f.Snap.Seq}); now != c.looked {
			c.looked = now
			c.see(c, f)
		}
	}
	if c.clauses != nil && c.filter == s.Filter {
		return
	}
	clauses, err := filter.Split(s.FilterText, FieldNames(c.columns))
	if err != nil {
		return // a filter that was kept can be read
	}
	c.filter, c.clauses = s.Filter, clauses
	c.marks++
	for i := range c.Kinds {
		k := &c.Kinds[i]
		for j := range k.Chips {
			chip := &k.Chips[j]
			chip.listed, chip.Hidden = clauses.Lists(k.Column, chip.Value), clauses.Hides(k.Column, chip.Value)
		}
	}
}

// note says that a row of a kind has value number i.
func (c *Chips) note(kind, i int) {
	if chips := c.Kinds[kind].Chips; i >= 0 && i < len(chips) && !chips[i].seen {
		chips[i].seen = true
		c.marks++
	}
}

// noteNumber is note for a value that is not the number of its chip.
func (c *Chips) noteNumber(kind int, n uint64) {
	for i := range c.Kinds[kind].Chips {
		if c.Kinds[kind].Chips[i].Number == n {
			c.note(kind, i)
			return
		}
	}
}

// At is chip number i of a kind.
func (c *Chips) At(kind, i int) *Chip { return &c.Kinds[kind].Chips[i] }

// Shown are the numbers of the chips of a kind that have a place.
func (c *Chips) Shown(kind int) (out []int) {
	for i := range c.Kinds[kind].Chips {
		if c.At(kind, i).shown() {
			out = append(out, i)
		}
	}
	return out
}

// useful reports whether a kind tells rows apart, or the filter speaks of it.
func (c *Chips) useful(kind int) bool {
	n := 0
	for i := range c.Kinds[kind].Chips {
		chip := c.At(kind, i)
		if chip.listed || (chip.Hidden && chip.seen) {
			return true
		}
		if chip.seen {
			n++
		}
	}
	return n > 1
}

// Useful are the numbers of the kinds that have a place. Where none tells rows apart the first one that rows have keeps
// the line, so that the table below it stays where it is.
func (c *Chips) Useful() (out []int) {
	for k := range c.Kinds {
		if c.useful(k) {
			out = append(out, k)
		}
	}
	for k := 0; k < len(c.Kinds) && len(out) == 0; k++ {
		if len(c.Shown(k)) > 0 {
			out = append(out, k)
		}
	}
	return out
}

// Toggled is the filter after a chip was pressed: it shows the rows that it hid, or hides them. Only is the one that
// shows no other rows of the kind, and All the one that shows them all, which a last one that is pressed leads to as well.
// What the filter named so far keeps its place.
func (c *Chips) Toggled(kind, i int) string {
	c.keep(kind)
	if c.At(kind, i).Hidden && !slices.ContainsFunc(c.Shown(kind), func(other int) bool { return other != i && c.At(kind, other).Hidden }) {
		return c.All(kind)
	}
	return c.clauses.Toggle(c.Kinds[kind].Column, c.At(kind, i).Value)
}

// Only is described at Toggled.
func (c *Chips) Only(kind, i int) string {
	c.keep(kind)
	return c.clauses.Only(c.Kinds[kind].Column, c.At(kind, i).Value)
}

// All is described at Toggled.
func (c *Chips) All(kind int) string {
	c.keep(kind)
	return c.clauses.All(c.Kinds[kind].Column)
}

// keep lets the chips that a kind has keep their places.
func (c *Chips) keep(kind int) {
	for _, i := range c.Shown(kind) {
		c.note(kind, i)
	}
}

// What a place holds besides chips: the name of a kind, or the sign that chips of it have no room.
const (
	KindName  = -1
	MoreChips = -2
)

// ChipPlace is where a chip stands in its line, or the name of a kind.
type ChipPlace struct {
	X, W       int
	Kind, Chip int
	Open       bool // the chips of the kind are in sight
}

// chipPlaces are the places for a width, kept while nothing changes.
type chipPlaces struct {
	list                     []ChipPlace
	width, open, marks, chip int
}

// Columns of the line of chips.
const (
	chipsLeft = 2 // behind the key that goes there
	kindGap   = 3
	moreWidth = 2 // of the sign for more
)

// chipsSign is behind the name of a kind whose chips are in sight.
const chipsSign = ":"

// width is how wide a kind is with its chips in sight, or closed.
func (c *Chips) width(kind int, open bool) int {
	w := len(c.Kinds[kind].Name)
	if !open {
		return w + len(c.closedNote(kind))
	}
	w += len(chipsSign)
	for i := range c.Kinds[kind].Chips {
		if chip := c.At(kind, i); chip.shown() {
			w += chip.width()
		}
	}
	return w
}

// closedNote says behind the name of a kind whose chips are not in sight how many of them are shown.
func (c *Chips) closedNote(kind int) string {
	all, hidden := 0, 0
	for i := range c.Kinds[kind].Chips {
		if chip := c.At(kind, i); chip.shown() {
			all++
			if chip.Hidden {
				hidden++
			}
		}
	}
	if hidden == 0 {
		return " " + strconv.Itoa(all)
	}
	return " " + strconv.Itoa(all-hidden) + "/" + strconv.Itoa(all)
}

// Places lays the chips out in a line: as many kinds as there is room for have their chips in sight, that numbered Open
// first. The chip numbered chip of that kind is in sight in any case.
func (c *Chips) Places(width, chip int) []ChipPlace {
	p := &c.placed
	if p.list != nil && p.width == width && p.open == c.Open && p.marks == c.marks && p.chip == chip {
		return p.list
	}
	*p = chipPlaces{list: p.list[:0], width: width, open: c.Open, marks: c.marks, chip: chip}
	kinds := c.Useful()
	if len(kinds) == 0 {
		return nil
	}
	if !slices.Contains(kinds, c.Open) {
		c.Open = kinds[0]
		p.open = c.Open
	}
	used := chipsLeft - kindGap
	for _, k := range kinds {
		used += kindGap + c.width(k, k == c.Open)
	}
	x := chipsLeft
	for _, k := range kinds {
		open := k == c.Open
		if more := c.width(k, true) - c.width(k, false); !open && used+more <= width {
			open, used = true, used+more
		}
		room := c.width(k, open)
		if k == c.Open {
			room -= max(used-width, 0)
		}
		c.place(k, x, room, open, chip)
		x += room + kindGap
	}
	return p.list
}

// place lays out one kind in that many columns.
func (c *Chips) place(kind, x, room int, open bool, chip int) {
	p := &c.placed
	name := len(c.Kinds[kind].Name) + len(chipsSign)
	if !open {
		p.list = append(p.list, ChipPlace{x, c.width(kind, false), kind, KindName, false})
		return
	}
	p.list = append(p.list, ChipPlace{x, name, kind, KindName, true})
	list, end := c.Shown(kind), x+room
	x += name
	if kind == c.Open {
		if from := c.window(kind, list, room-name, chip); from > 0 {
			p.list = append(p.list, ChipPlace{x, moreWidth, kind, MoreChips, true})
			x, list = x+moreWidth, list[from:]
		}
	}
	for n, i := range list {
		w, rest := c.At(kind, i).width(), moreWidth
		if n == len(list)-1 {
			rest = 0
		}
		if x+w+rest > end {
			p.list = append(p.list, ChipPlace{x, moreWidth, kind, MoreChips, true})
			return
		}
		p.list = append(p.list, ChipPlace{x, w, kind, i, true})
		x += w
	}
}

// window is how many chips of a list to leave out in front for the one numbered chip to fit in.
func (c *Chips) window(kind int, list []int, room, chip int) (from int) {
	at := slices.Index(list, chip)
	if at < 0 {
		return 0
	}
	used, all := moreWidth, 0 // a sign at the end, and one in front once a chip is left out
	for n, i := range list {
		all += c.At(kind, i).width()
		if n == at {
			used += all
		}
	}
	if all <= room {
		return 0
	}
	for ; from < at && used > room; from++ {
		if from == 0 {
			used += moreWidth
		}
		used -= c.At(kind, list[from]).width()
	}
	return from
}

// DrawChips draws the line of chips behind the key that goes to it. The chip numbered chip of the open kind is that under
// the cursor; there is none below 0.
func (l *Look) DrawChips(a cells.Area, c *Chips, key string, chip int) {
	a.Text(0, 0, key, theme.Key)
	for _, p := range c.Places(a.W, chip) {
		switch p.Chip {
		case MoreChips:
			a.Set(p.X+1, 0, l.Glyphs.Ellipsis, theme.Dim)
			continue
		case KindName:
			x := a.Text(p.X, 0, c.Kinds[p.Kind].Name, theme.Dim)
			if p.Open {
				a.Text(x, 0, chipsSign, theme.Dim)
			} else {
				a.Text(x, 0, c.closedNote(p.Kind), theme.Plain)
			}
			continue
		}
		l.drawChip(a.Sub(cells.Rect{X: p.X, W: p.W, H: 1}), c.At(p.Kind, p.Chip))
		if p.Kind == c.Open && p.Chip == chip {
			a.Sub(cells.Rect{X: p.X + 1, W: p.W - 1, H: 1}).Highlight()
		}
	}
}

// drawChip draws a value; that of rows that are hidden is behind "-", so that it is not told by its color alone.
func (l *Look) drawChip(a cells.Area, chip *Chip) {
	style := chip.Style
	if chip.Hidden {
		a.Set(1, 0, '-', theme.Warning)
		style = theme.Dim
	}
	a.Text(2, 0, chip.Text, style)
}
