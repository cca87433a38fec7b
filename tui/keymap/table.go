package keymap

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
	sectionTarget = "Target"
	sectionBreak  = "Break"
	sectionTable  = "Table"
	sectionTime   = "Time"
	sectionScreen = "Screen"
)

// Tables are the views with columns to sort by.
var Tables = In(Overview, Workers, Tasks, Log, Memory, Fairness, Events, Diff)

var (
	panes    = In(Ring, Launch, Timeline) // what is no table with columns to sort by
	workers  = In(Overview, Workers, Timeline)
	subjects = workers | In(Tasks, Ring)
	markable = In(Overview, Workers, Tasks)
)

// Default is the map of the dashboard.
func Default() []Binding {
	var out []Binding
	out = append(out, target...)
	out = append(out, table...)
	out = append(out, breaks...)
	out = append(out, time...)
	out = append(out, screen...)
	return append(out, viewKeys()...)
}

var target = []Binding{
	{ID: Pause, Keys: []string{"p"}, Views: subjects, Source: Live, Writes: true, Section: sectionTarget, Short: "pause", Help: "ask the selected worker or task to pause"},
	{ID: Continue, Keys: []string{"c", "f5"}, Views: subjects, Source: Live, Writes: true, Section: sectionTarget, Short: "continue", Help: "let the selected worker or task go on"},
	{ID: StepOne, Keys: []string{"s", "f10"}, Views: workers, Source: Live, Writes: true, Section: sectionTarget, Short: "step", Help: "run one activation on the selected paused worker"},
	{ID: Requeue, Keys: []string{"R"}, Views: In(Tasks, Ring), Source: Live, Writes: true, Section: sectionTarget, Short: "requeue", Help: "put the selected task back with another priority"},
	{ID: Edit, Keys: []string{"E"}, Views: In(Tasks, Memory, Fairness), Source: Live, Writes: true, Section: sectionTarget, Short: "edit", Help: "edit a word or an operand, if it still holds that"},
	{ID: Undo, Keys: []string{"u"}, Views: AllViews, Source: Live, Writes: true, Section: sectionTarget, Help: "take the last edit or change of settings back"},
	{ID: Apply, Keys: []string{"A"}, Views: AllViews, Footers: In(Launch), Source: Live, Writes: true, Section: sectionTarget, Short: "apply", Help: "try the recommended shape, keep it if faster"},
	{ID: Compare, Keys: []string{"V"}, Views: In(Launch), Source: Live, Writes: true, Section: sectionTarget, Short: "compare", Help: "measure the shape in force against the recommended"},
	{ID: Observe, Keys: []string{"O"}, Views: AllViews, Source: Live, Section: sectionTarget, Help: "measure what looking at the target costs it"},
	{ID: Stall, Keys: []string{"S"}, Views: AllViews, Source: Any, Section: sectionTarget, Help: "say what goes on, what does not, and what it waits for"},
	{ID: PauseAll, Keys: []string{"P"}, Views: AllViews, Source: Live, Writes: true, Section: sectionTarget, Help: "ask every worker to pause"},
	{ID: ContinueAll, Keys: []string{"C"}, Views: AllViews, Source: Live, Writes: true, Section: sectionTarget, Help: "let every worker go on"},
}

// breaks are behind the table's keys, so that a narrow footer leaves them out first.
var breaks = []Binding{
	{ID: Break, Keys: []string{"b", "f9"}, Views: subjects, Source: Live, Writes: true, Section: sectionBreak, Short: "break", Help: "break at the opcode, task or worker; again: remove"},
	{ID: Breaks, Keys: []string{"B"}, Views: AllViews, Source: Live, Writes: true, Section: sectionBreak, Help: "breakpoints: hits, on and off, remove, new"},
}

var table = []Binding{
	{ID: Up, Keys: []string{"up", "k"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "previous row"},
	{ID: Down, Keys: []string{"down", "j"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "next row"},
	{ID: HalfUp, Keys: []string{"ctrl+u"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "half a page up"},
	{ID: HalfDown, Keys: []string{"ctrl+d"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "half a page down"},
	{ID: PageUp, Keys: []string{"pgup", "ctrl+b"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "a page up"},
	{ID: PageDown, Keys: []string{"pgdown", "ctrl+f"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "a page down"},
	{ID: Top, Keys: []string{"g"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "first row"},
	{ID: Bottom, Keys: []string{"G"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "last row; in the log: follow new records"},
	{ID: Top + "-home", Keys: []string{"home"}, Views: AllViews, Source: Now, Section: sectionTable, Help: "first row"},
	{ID: Bottom + "-end", Keys: []string{"end"}, Views: AllViews, Source: Now, Section: sectionTable, Help: "last row; in the log: follow new records"},
	{ID: Details, Keys: []string{"enter", "e"}, Views: AllViews &^ In(Ring, Launch, Fairness, Log), Source: Any, Section: sectionTable, Short: "details", Help: "show the selected row in full"},
	{ID: Follow, Keys: []string{"enter"}, Views: In(Log), Source: Any, Section: sectionTable, Short: "its task", Help: "go to the task of the record, or else to its worker"},
	{ID: Details + "-record", Keys: []string{"e"}, Views: In(Log), Source: Any, Section: sectionTable, Short: "details", Help: "show the selected record in full"},
	{ID: Zoom, Keys: []string{"enter", "e"}, Views: In(Ring), Source: Any, Section: sectionTable, Short: "zoom", Help: "fewer slots, each larger; at last the slot in full"},
	{ID: ZoomIn, Keys: []string{"+", "="}, Views: In(Timeline), Source: Any, Section: sectionTable, Short: "zoom in", Help: "shorter columns, down to 10 us"},
	{ID: ZoomOut, Keys: []string{"-"}, Views: In(Timeline), Source: Any, Section: sectionTable, Short: "out", Help: "longer columns"},
	{ID: NextSpan, Keys: []string{"n"}, Views: In(Timeline), Source: Any, Section: sectionTable, Short: "span", Help: "select the next span of the worker; Enter: its task"},
	{ID: PrevSpan, Keys: []string{"N"}, Views: In(Timeline), Source: Any, Section: sectionTable, Help: "select the previous span of the worker"},
	{ID: Suppose, Keys: []string{"enter", "e"}, Views: In(Launch), Source: Any, Section: sectionTable, Short: "suppose", Help: "type another value for the selected input"},
	{ID: TasksOf, Keys: []string{"enter", "e"}, Views: In(Fairness), Source: Any, Section: sectionTable, Short: "tasks", Help: "list the tasks of the selected tenant"},
	{ID: DetailsUp, Keys: []string{"ctrl+y"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "scroll the details up"},
	{ID: DetailsDown, Keys: []string{"ctrl+e"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "scroll the details down; in full ones pages do too"},
	{ID: Back, Keys: []string{"esc"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "one level back: message, details, filter"},
	{ID: Filter, Keys: []string{"/"}, Views: Tables, Source: Any, Section: sectionTable, Short: "filter", Help: "filter: word, state=paused, age>100, and or ! ( )"},
	{ID: Chips, Keys: []string{"F"}, Views: In(Workers, Tasks, Log, Diff), Source: Any, Section: sectionTable, Short: "kinds", Help: "show and hide kinds of rows by their chips"},
	{ID: Unfilter, Keys: []string{"delete"}, Views: Tables | In(Launch), Source: Any, Section: sectionTable, Help: "clear the filter; in launch: the observed value again"},
	{ID: NextMatch, Keys: []string{"n"}, Views: Tables, Source: Any, Section: sectionTable, Help: "next row that the last filter matches"},
	{ID: PrevMatch, Keys: []string{"N"}, Views: Tables, Source: Any, Section: sectionTable, Help: "previous row that the last filter matches"},
	{ID: SortPrev, Keys: []string{"<"}, Views: Tables, Source: Any, Section: sectionTable, Help: "sort by the column to the left"},
	{ID: SortNext, Keys: []string{">"}, Views: Tables, Source: Any, Section: sectionTable, Short: "sort", Help: "sort by the column to the right"},
	{ID: Reverse, Keys: []string{"I"}, Views: Tables, Source: Any, Section: sectionTable, Help: "reverse the order"},
	{ID: ThenBy, Keys: []string{"T"}, Views: Tables, Source: Any, Section: sectionTable, Help: "let this column decide among equal rows"},
	{ID: Mark, Keys: []string{"space"}, Views: markable, Source: Live, Section: sectionTable, Help: "mark the row; actions apply to all marked rows"},
	{ID: Unmark, Keys: []string{"U"}, Views: markable, Source: Live, Section: sectionTable, Help: "remove all marks"},
	{ID: Radix, Keys: []string{"x"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "show words in hexadecimal or decimal"},
	{ID: Variant, Keys: []string{"v"}, Views: In(Ring, Log, Memory, Fairness, Timeline, Diff), Source: Any, Section: sectionTable, Short: "vary", Help: "cycle display mode; in timeline: the whole run"},
	{ID: Tree, Keys: []string{"t"}, Views: In(Tasks), Source: Any, Section: sectionTable, Help: "tree of the tasks: children below their parents"},
	{ID: LogOf, Keys: []string{"o"}, Views: In(Overview, Workers, Tasks, Log, Timeline), Source: Any, Section: sectionTable, Help: "log of the selected worker or task only"},
	{ID: Wrap, Keys: []string{"w"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "wrap long lines, or cut them"},
	{ID: CellLeft, Keys: []string{"<"}, Views: panes, Source: Any, Section: sectionTable, Help: "to the left; in launch: half the value"},
	{ID: CellRight, Keys: []string{">"}, Views: panes, Source: Any, Section: sectionTable, Help: "to the right; in launch: twice the value"},
	{ID: CellLeft + "-arrow", Keys: []string{"left", "h"}, Views: panes, Source: Now, Section: sectionTable, Help: "to the left; in launch: half the value"},
	{ID: CellRight + "-arrow", Keys: []string{"right", "l"}, Views: panes, Source: Now, Section: sectionTable, Help: "to the right; in launch: twice the value"},
	{ID: Watch, Keys: []string{"W"}, Views: In(Memory), Source: Any, Section: sectionTable, Short: "watch", Help: "keep the selected word in sight, or no longer"},
	{ID: Yank, Keys: []string{"y"}, Views: AllViews, Source: Any, Section: sectionTable, Help: "copy a cell, a row, the panel or a command line"},
}

var time = []Binding{
	{ID: PlayPause, Keys: []string{"space"}, Views: AllViews, Source: Replay, Section: sectionTime, Short: "play", Help: "play or hold the recording"},
	{ID: SeekBack, Keys: []string{"left", "h"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "one second back"},
	{ID: SeekOn, Keys: []string{"right", "l"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "one second on"},
	{ID: SeekFarBack, Keys: []string{"shift+left", "H"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "ten seconds back"},
	{ID: SeekFarOn, Keys: []string{"shift+right", "J"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "ten seconds on"},
	{ID: EventBack, Keys: []string{","}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Short: "event back", Help: "before this: what happened last to the selected row"},
	{ID: EventOn, Keys: []string{"."}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Short: "on", Help: "what happens next to the selected row"},
	{ID: SampleBack, Keys: []string{"ctrl+left", "shift+f10"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "one sample back"},
	{ID: SampleOn, Keys: []string{"ctrl+right"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "one sample on"},
	{ID: SamplesBack, Keys: []string{"ctrl+shift+left"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "ten samples back"},
	{ID: SamplesOn, Keys: []string{"ctrl+shift+right"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "ten samples on"},
	{ID: SeekStart, Keys: []string{"home"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "start of the recording, or of what is kept"},
	{ID: SeekEnd, Keys: []string{"end"}, Views: AllViews, Source: Replay | Past, Section: sectionTime, Help: "end of the recording; of a live target: now"},
	{ID: SeekBack + BackFromNow, Keys: []string{"left", "h"}, Views: Tables, Source: Now, Section: sectionTime, Help: "one second back; End is now again"},
	{ID: SeekFarBack + BackFromNow, Keys: []string{"shift+left", "H"}, Views: AllViews, Source: Now, Section: sectionTime, Help: "ten seconds back"},
	{ID: SampleBack + BackFromNow, Keys: []string{"ctrl+left"}, Views: AllViews, Source: Now, Section: sectionTime, Help: "one sample back"},
	{ID: SamplesBack + BackFromNow, Keys: []string{"ctrl+shift+left"}, Views: AllViews, Source: Now, Section: sectionTime, Help: "ten samples back"},
	{ID: EventBack + BackFromNow, Keys: []string{","}, Views: AllViews, Source: Now, Section: sectionTime, Help: "back to what happened last to the selected row"},
	{ID: SetMark, Keys: []string{"m"}, Views: AllViews, Source: Any, Section: sectionTime, Help: "set a marker at this moment, or take it away"},
	{ID: PrevMark, Keys: []string{"{"}, Views: AllViews, Source: Any, Section: sectionTime, Help: "the marker before this moment"},
	{ID: NextMark, Keys: []string{"}"}, Views: AllViews, Source: Any, Section: sectionTime, Help: "the marker behind this moment"},
	{ID: Loop, Keys: []string{"L"}, Views: AllViews, Source: Replay, Section: sectionTime, Help: "play the recording again and again"},
	{ID: Slower, Keys: []string{"("}, Views: AllViews, Source: Replay, Section: sectionTime, Help: "half the speed"},
	{ID: Faster, Keys: []string{")"}, Views: AllViews, Source: Replay, Section: sectionTime, Short: "faster", Help: "twice the speed"},
	{ID: Freeze, Keys: []string{"f", "Z"}, Views: AllViews, Source: Any, Section: sectionTime, Short: "freeze", Help: "freeze the view; the target and the charts go on"},
	{ID: RefreshOff, Keys: []string{"+", "="}, Views: AllViews &^ In(Timeline), Source: Live, Section: sectionTime, Help: "refresh less often, by 100 ms"},
	{ID: RefreshOn, Keys: []string{"-"}, Views: AllViews &^ In(Timeline), Source: Live, Section: sectionTime, Help: "refresh more often, by 100 ms"},
}

var screen = []Binding{
	{ID: NextView, Keys: []string{"tab", "]"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "next view"},
	{ID: PrevView, Keys: []string{"shift+tab", "["}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "previous view"},
	{ID: LastView, Keys: []string{"`"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "the view before this one"},
	{ID: Command, Keys: []string{":"}, Views: AllViews, Source: Any, Section: sectionScreen, Short: "command", Help: "type a command, such as :retune workers=4"},
	{ID: Alerts, Keys: []string{"a"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "list the alerts and acknowledge them"},
	{ID: Help, Keys: []string{"?", "f1"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "list of keys; type to search, Enter runs"},
	{ID: Poll, Keys: []string{"ctrl+r"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "look now; read the configuration"},
	{ID: Redraw, Keys: []string{"ctrl+l"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "draw the screen afresh"},
	{ID: Save, Keys: []string{"ctrl+s"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "save this moment as a recording"},
	{ID: Open, Keys: []string{"ctrl+o"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "open a recording over this; q goes back"},
	{ID: Wider, Keys: []string{"|"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "wider details; all panes: :layout detail=45 log=8"},
	{ID: Narrower, Keys: []string{"\\"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "narrower details; in the end none"},
	{ID: Taller, Keys: []string{"^"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "more of the log below the table"},
	{ID: Shorter, Keys: []string{"_"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "less of the log below the table; in the end none"},
	{ID: Mouse, Keys: []string{"M"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "mouse on or off; off lets the terminal select text"},
	{ID: Suspend, Keys: []string{"ctrl+z"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "back to the shell; fg returns"},
	{ID: Quit, Keys: []string{"q", "ctrl+c"}, Views: AllViews, Source: Any, Section: sectionScreen, Help: "leave; asks about what is unfinished, paused or set"},
}

// viewKeys binds the digits to the views.
func viewKeys() []Binding {
	var out []Binding
	for v := range NumViews {
		help := "view " + v.String()
		if v == Diff {
			help += "; there: compare this moment with what comes"
		}
		out = append(out, Binding{
			ID: ShowView + v.String(), Keys: []string{v.Digit()}, Views: AllViews, Source: Any,
			Section: sectionScreen, Help: help,
		})
	}
	return out
}
