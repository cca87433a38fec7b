package keymap

import "slices"

// The ids of the actions. They are stable: configuration and help refer to them.
const (
	Pause       = "pause"
	Continue    = "continue"
	PauseAll    = "pause-all"
	ContinueAll = "continue-all"
	StepOne     = "step"
	Requeue     = "requeue"
	Break       = "break"
	Breaks      = "breakpoints"

	Mark    = "mark"
	Unmark  = "unmark"
	Details = "details"
	Follow  = "follow"

	Zoom     = "zoom"
	ZoomIn   = "zoom-in"
	ZoomOut  = "zoom-out"
	NextSpan = "span-next"
	PrevSpan = "span-previous"
	Suppose  = "suppose"
	TasksOf  = "tasks-of"

	DetailsUp   = "details-up"
	DetailsDown = "details-down"

	Back     = "back"
	Up       = "up"
	Down     = "down"
	HalfUp   = "half-up"
	HalfDown = "half-down"
	PageUp   = "page-up"
	PageDown = "page-down"
	Top      = "top"
	Bottom   = "bottom"
	SortPrev = "sort-left"
	SortNext = "sort-right"
	Reverse  = "sort-reverse"
	ThenBy   = "sort-then"
	Filter   = "filter"
	Unfilter = "filter-clear"
	Chips    = "filter-chips"

	NextMatch = "match-next"
	PrevMatch = "match-previous"

	Radix   = "radix"
	Yank    = "yank"
	Variant = "variant"
	Tree    = "tree"
	LogOf   = "log-of"
	Wrap    = "wrap"
	Watch   = "watch"

	CellLeft  = "cell-left"
	CellRight = "cell-right"

	Edit    = "edit"
	Undo    = "undo"
	Apply   = "apply"
	Record  = "record"
	Compare = "compare"
	Alerts  = "alerts"
	Observe = "observe"
	Stall   = "stall"

	PlayPause   = "play-pause"
	SeekBack    = "seek-back"
	SeekOn      = "seek-on"
	SeekFarBack = "seek-far-back"
	SeekFarOn   = "seek-far-on"
	SampleBack  = "sample-back"
	SampleOn    = "sample-on"
	SamplesBack = "samples-back"
	SamplesOn   = "samples-on"
	EventBack   = "event-back"
	EventOn     = "event-on"
	SeekStart   = "seek-start"
	BackFromNow = "-from-now" // behind the actions that leave the present of a live target
	SeekEnd     = "seek-end"
	SetMark     = "marker"
	PrevMark    = "marker-previous"
	NextMark    = "marker-next"
	Loop        = "loop"
	Slower      = "slower"
	Faster      = "faster"

	Freeze     = "freeze"
	NextView   = "next-view"
	PrevView   = "previous-view"
	LastView   = "last-view"
	ShowView   = "view-" // + name of the view
	Command    = "command"
	Help       = "help"
	RefreshOff = "refresh-slower"
	RefreshOn  = "refresh-faster"
	Redraw     = "redraw"
	Poll       = "refresh-now"
	Save       = "save"
	Open       = "open"
	Wider      = "details-wider"
	Narrower   = "details-narrower"
	Taller     = "log-taller"
	Shorter    = "log-shorter"
	Mouse      = "mouse"
	Suspend    = "suspend"
	Quit       = "quit"
)

// The sections of the help.
const (
	TargetSection = "Target"
	DebugSection  = "Debug"
	breakSection  = "Break"
	TableSection  = "Table"
	timeSection   = "Time"
	screenSection = "Screen"
)

// New is the map of a dashboard with these views.
func New(views []Spec) *Map {
	m := &Map{Views: views, Bindings: slices.Concat(target, table, breaks, time, screen, viewKeys(views))}
	for _, v := range slices.Backward(views) {
		after := ""
		for _, k := range v.Keys {
			if k.After != "" {
				after = k.After
			}
			i := slices.IndexFunc(m.Bindings, func(b Binding) bool { return b.ID == after })
			k.Binding.View = v.View
			m.Bindings = slices.Insert(m.Bindings, i+1, k.Binding)
			after = k.ID
		}
	}
	return m
}

var target = []Binding{
	{ID: Pause, Keys: []string{"p"}, On: WorkerRows | TaskRows | SlotCells, Source: Live, Writes: true, Section: TargetSection, Short: "pause", Help: "ask the selected worker or task to pause"},
	{ID: Continue, Keys: []string{"c", "f5"}, On: WorkerRows | TaskRows | SlotCells, Source: Live, Writes: true, Section: TargetSection, Short: "continue", Help: "resume the selected worker or task"},
	{ID: StepOne, Keys: []string{"s", "f10"}, On: WorkerRows, Source: Live, Writes: true, Section: TargetSection, Short: "step", Help: "run one activation on the selected paused worker"},
	{ID: Requeue, Keys: []string{"R"}, On: TaskRows | SlotCells, Source: Live, Writes: true, Section: TargetSection, Short: "requeue", Help: "put the selected task back with another priority"},
	{ID: Edit, Keys: []string{"E"}, On: Editable, Source: Live, Writes: true, Section: TargetSection, Short: "edit", Help: "edit a word or an operand, if it still holds that"},
	{ID: Undo, Keys: []string{"u"}, Source: Live, Writes: true, Section: TargetSection, Help: "take the last edit or change of settings back"},
	{ID: Apply, Keys: []string{"A"}, Footer: Launch, Source: Live, Writes: true, Section: TargetSection, Short: "apply", Help: "try the recommended shape, keep it if faster"},
	{ID: Record, Keys: []string{"ctrl+k"}, Source: Live, Writes: true, Section: TargetSection, Help: "start a recording of the run, or end it"},
	{ID: Observe, Keys: []string{"O"}, Source: Live, Section: TargetSection, Help: "measure the overhead of observing the target"},
	{ID: Stall, Keys: []string{"S"}, Source: Any, Section: TargetSection, Help: "show the stall report: what is stalled, and why"},
	{ID: PauseAll, Keys: []string{"P"}, Source: Live, Writes: true, Section: TargetSection, Help: "ask every worker to pause"},
	{ID: ContinueAll, Keys: []string{"C"}, Source: Live, Writes: true, Section: TargetSection, Help: "resume every worker"},
}

// breaks are behind the table's keys, so that a narrow footer leaves them out first.
var breaks = []Binding{
	{ID: Break, Keys: []string{"b", "f9"}, On: WorkerRows | TaskRows | SlotCells, Source: Live, Writes: true, Section: breakSection, Short: "break", Help: "break at the opcode, task or worker; again: remove"},
	{ID: Breaks, Keys: []string{"B"}, Source: Live, Section: breakSection, Help: "breakpoints: hits, on and off, remove, new"},
}

var table = []Binding{
	{ID: Up, Keys: []string{"up", "k"}, Source: Any, Section: TableSection, Help: "previous row"},
	{ID: Down, Keys: []string{"down", "j"}, Source: Any, Section: TableSection, Help: "next row"},
	{ID: HalfUp, Keys: []string{"ctrl+u"}, Source: Any, Section: TableSection, Help: "half a page up"},
	{ID: HalfDown, Keys: []string{"ctrl+d"}, Source: Any, Section: TableSection, Help: "half a page down"},
	{ID: PageUp, Keys: []string{"pgup", "ctrl+b"}, Source: Any, Section: TableSection, Help: "a page up"},
	{ID: PageDown, Keys: []string{"pgdown", "ctrl+f"}, Source: Any, Section: TableSection, Help: "a page down"},
	{ID: Top, Keys: []string{"g"}, Source: Any, Section: TableSection, Help: "first row"},
	{ID: Bottom, Keys: []string{"G"}, Source: Any, Section: TableSection, Help: "last row; in the log: follow new records"},
	{ID: Top + "-home", Keys: []string{"home"}, Source: Now, Section: TableSection, Help: "first row"},
	{ID: Bottom + "-end", Keys: []string{"end"}, Source: Now, Section: TableSection, Help: "last row; in the log: follow new records"},
	{ID: Details, Keys: []string{"enter", "e"}, Off: OwnEnter, Source: Any, Section: TableSection, Short: "details", Help: "show the selected row in full"},
	{ID: DetailsUp, Keys: []string{"ctrl+y"}, Source: Any, Section: TableSection, Help: "scroll the details up"},
	{ID: DetailsDown, Keys: []string{"ctrl+e"}, Source: Any, Section: TableSection, Help: "scroll the details down; in full ones pages do too"},
	{ID: Back, Keys: []string{"esc"}, Source: Any, Section: TableSection, Help: "one level back: message, details, filter"},
	{ID: Filter, Keys: []string{"/"}, On: Table, Source: Any, Section: TableSection, Short: "filter", Help: "filter: word, state=paused, age>100, and or ! ( )"},
	{ID: Chips, Keys: []string{"F"}, On: HasChips, Source: Any, Section: TableSection, Short: "kinds", Help: "show and hide kinds of rows by their chips"},
	{ID: Unfilter, Keys: []string{"delete"}, On: Table | Resettable, Source: Any, Section: TableSection, Help: "clear the filter; in launch: the observed value again"},
	{ID: NextMatch, Keys: []string{"n"}, On: Table, Source: Any, Section: TableSection, Help: "next row that the last filter matches"},
	{ID: PrevMatch, Keys: []string{"N"}, On: Table, Source: Any, Section: TableSection, Help: "previous row that the last filter matches"},
	{ID: SortPrev, Keys: []string{"<"}, On: Table, Source: Any, Section: TableSection, Help: "sort by the column to the left"},
	{ID: SortNext, Keys: []string{">"}, On: Table, Source: Any, Section: TableSection, Short: "sort", Help: "sort by the column to the right"},
	{ID: Reverse, Keys: []string{"I"}, On: Table, Source: Any, Section: TableSection, Help: "reverse the order"},
	{ID: ThenBy, Keys: []string{"T"}, On: Table, Source: Any, Section: TableSection, Help: "let this column decide among equal rows"},
	{ID: Mark, Keys: []string{"space"}, On: Markable, Source: Live, Section: TableSection, Help: "mark the row; actions apply to all marked rows"},
	{ID: Unmark, Keys: []string{"U"}, On: Markable, Source: Live, Section: TableSection, Help: "remove all marks"},
	{ID: Radix, Keys: []string{"x"}, Source: Any, Section: TableSection, Help: "show words in hexadecimal or decimal"},
	{ID: Variant, Keys: []string{"v"}, On: HasModes, Source: Any, Section: TableSection, Short: "vary", Help: "cycle display mode; in timeline: the whole run"},
	{ID: LogOf, Keys: []string{"o"}, On: HasLog, Source: Any, Section: TableSection, Help: "log of the selected worker or task only"},
	{ID: Wrap, Keys: []string{"w"}, Source: Any, Section: TableSection, Help: "wrap long lines, or cut them"},
	{ID: CellLeft, Keys: []string{"<"}, On: Cells, Source: Any, Section: TableSection, Help: "to the left; in launch: half the value"},
	{ID: CellRight, Keys: []string{">"}, On: Cells, Source: Any, Section: TableSection, Help: "to the right; in launch: twice the value"},
	{ID: CellLeft + "-arrow", Keys: []string{"left", "h"}, On: Cells, Source: Now, Section: TableSection, Help: "to the left; in launch: half the value"},
	{ID: CellRight + "-arrow", Keys: []string{"right", "l"}, On: Cells, Source: Now, Section: TableSection, Help: "to the right; in launch: twice the value"},
	{ID: Yank, Keys: []string{"y"}, Source: Any, Section: TableSection, Help: "copy a cell, a row, the panel or a command line"},
}

var time = []Binding{
	{ID: PlayPause, Keys: []string{"space"}, Source: Replay, Section: timeSection, Short: "play", Help: "play or pause the recording"},
	{ID: SeekBack, Keys: []string{"left", "h"}, Source: Replay | Past, Section: timeSection, Help: "one second back"},
	{ID: SeekOn, Keys: []string{"right", "l"}, Source: Replay | Past, Section: timeSection, Help: "one second on"},
	{ID: SeekFarBack, Keys: []string{"shift+left", "H"}, Source: Replay | Past, Section: timeSection, Help: "ten seconds back"},
	{ID: SeekFarOn, Keys: []string{"shift+right", "J"}, Source: Replay | Past, Section: timeSection, Help: "ten seconds on"},
	{ID: EventBack, Keys: []string{","}, Source: Replay | Past, Section: timeSection, Short: "event back", Help: "before this: what happened last to the selected row"},
	{ID: EventOn, Keys: []string{"."}, Source: Replay | Past, Section: timeSection, Short: "on", Help: "what happens next to the selected row"},
	{ID: SampleBack, Keys: []string{"ctrl+left", "shift+f10"}, Source: Replay | Past, Section: timeSection, Help: "one sample back"},
	{ID: SampleOn, Keys: []string{"ctrl+right"}, Source: Replay | Past, Section: timeSection, Help: "one sample on"},
	{ID: SamplesBack, Keys: []string{"ctrl+shift+left"}, Source: Replay | Past, Section: timeSection, Help: "ten samples back"},
	{ID: SamplesOn, Keys: []string{"ctrl+shift+right"}, Source: Replay | Past, Section: timeSection, Help: "ten samples on"},
	{ID: SeekStart, Keys: []string{"home"}, Source: Replay | Past, Section: timeSection, Help: "start of the recording, or of what is kept"},
	{ID: SeekEnd, Keys: []string{"end"}, Source: Replay | Past, Section: timeSection, Help: "end of the recording; of a live target: now"},
	{ID: SeekBack + BackFromNow, Keys: []string{"left", "h"}, On: Table, Source: Now, Section: timeSection, Help: "one second back; End is now again"},
	{ID: SeekFarBack + BackFromNow, Keys: []string{"shift+left", "H"}, Source: Now, Section: timeSection, Help: "ten seconds back"},
	{ID: SampleBack + BackFromNow, Keys: []string{"ctrl+left"}, Source: Now, Section: timeSection, Help: "one sample back"},
	{ID: SamplesBack + BackFromNow, Keys: []string{"ctrl+shift+left"}, Source: Now, Section: timeSection, Help: "ten samples back"},
	{ID: EventBack + BackFromNow, Keys: []string{","}, Source: Now, Section: timeSection, Help: "back to what happened last to the selected row"},
	{ID: SetMark, Keys: []string{"m"}, Source: Any, Section: timeSection, Help: "set or remove a marker at this position"},
	{ID: PrevMark, Keys: []string{"{"}, Source: Any, Section: timeSection, Help: "go to the previous marker"},
	{ID: NextMark, Keys: []string{"}"}, Source: Any, Section: timeSection, Help: "go to the next marker"},
	{ID: Loop, Keys: []string{"L"}, Source: Replay, Section: timeSection, Help: "play the recording again and again"},
	{ID: Slower, Keys: []string{"("}, Source: Replay, Section: timeSection, Help: "half the speed"},
	{ID: Faster, Keys: []string{")"}, Source: Replay, Section: timeSection, Short: "faster", Help: "twice the speed"},
	{ID: Freeze, Keys: []string{"f", "Z"}, Source: Any, Section: timeSection, Short: "freeze", Help: "freeze the view; the target and the charts continue"},
	{ID: RefreshOff, Keys: []string{"+", "="}, Off: OwnZoom, Source: Live, Section: timeSection, Help: "refresh less often, by 100 ms"},
	{ID: RefreshOn, Keys: []string{"-"}, Off: OwnZoom, Source: Live, Section: timeSection, Help: "refresh more often, by 100 ms"},
}

var screen = []Binding{
	{ID: NextView, Keys: []string{"tab", "]"}, Source: Any, Section: screenSection, Help: "next view"},
	{ID: PrevView, Keys: []string{"shift+tab", "["}, Source: Any, Section: screenSection, Help: "previous view"},
	{ID: LastView, Keys: []string{"`"}, Source: Any, Section: screenSection, Help: "the view before this one"},
	{ID: Command, Keys: []string{":"}, Source: Any, Section: screenSection, Short: "command", Help: "type a command, such as :retune workers=4"},
	{ID: Alerts, Keys: []string{"a"}, Source: Any, Section: screenSection, Help: "list the alerts and acknowledge them"},
	{ID: Help, Keys: []string{"?", "f1"}, Source: Any, Section: screenSection, Help: "list of keys; type to search, Enter runs"},
	{ID: Poll, Keys: []string{"ctrl+r"}, Source: Any, Section: screenSection, Help: "look now; read the configuration"},
	{ID: Redraw, Keys: []string{"ctrl+l"}, Source: Any, Section: screenSection, Help: "draw the screen afresh"},
	{ID: Save, Keys: []string{"ctrl+s"}, Source: Any, Section: screenSection, Help: "save this snapshot as a recording"},
	{ID: Open, Keys: []string{"ctrl+o"}, Source: Any, Section: screenSection, Help: "open a recording over this; q goes back"},
	{ID: Wider, Keys: []string{"|"}, Source: Any, Section: screenSection, Help: "wider details; all panes: :layout detail=45 log=8"},
	{ID: Narrower, Keys: []string{"\\"}, Source: Any, Section: screenSection, Help: "narrower details; in the end none"},
	{ID: Taller, Keys: []string{"^"}, Source: Any, Section: screenSection, Help: "more of the log below the table"},
	{ID: Shorter, Keys: []string{"_"}, Source: Any, Section: screenSection, Help: "less of the log below the table; in the end none"},
	{ID: Mouse, Keys: []string{"M"}, Source: Any, Section: screenSection, Help: "mouse on or off; off lets the terminal select text"},
	{ID: Suspend, Keys: []string{"ctrl+z"}, Source: Any, Section: screenSection, Help: "back to the shell; fg returns"},
	{ID: Quit, Keys: []string{"q", "ctrl+c"}, Source: Any, Section: screenSection, Help: "leave; asks about what is unfinished, paused or set"},
}

// viewKeys binds the digits to the views.
func viewKeys(views []Spec) []Binding {
	var out []Binding
	for _, v := range views {
		help := "view " + string(v.View)
		if v.Again != "" {
			help += "; there: " + v.Again
		}
		out = append(out, Binding{ID: ShowView + string(v.View), Keys: []string{v.Digit}, Source: Any, Section: screenSection, Help: help})
	}
	return out
}
