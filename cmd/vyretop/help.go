package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"vyretop/engine/fault"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/command"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/stats"
	"vyretop/tui/config"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// topic is a subject of the help other than a command.
type topic struct {
	name, short string
	text        func() string
}

var topics = []topic{
	{"targets", "what commands read: live runs, recordings, raw buffers", func() string { return targetsText }},
	{"filters", "the language of filters and conditions", func() string { return filtersText() }},
	{"scripts", "commands that steer a run, and scripts of them", func() string { return scriptsText() }},
	{"metrics", "metrics of a target, for --fail-if and alerts", func() string { return metricsText() }},
	{"keys", "keys of the dashboard, with the IDs for rebinding them", func() string { return keysText() }},
	{"config", "the configuration file, variables and flags", func() string { return configText }},
	{"themes", "colors, and themes of your own", func() string { return themesText() }},
	{"alerts", "conditions that the dashboard watches", func() string { return alertsText() }},
	{"exit", "exit statuses", func() string { return exitText }},
	{"json", "the documents that --json prints", func() string { return jsonText }},
}

// newHelp makes the command that explains commands and topics.
func (a *app) newHelp(root *cobra.Command) *cobra.Command {
	names := make([]string, len(topics))
	for i := range topics {
		names[i] = topics[i].name
	}
	return &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "Explain a command or a topic: " + strings.Join(names, ", "),
		GroupID: groupSelf, ValidArgsFunction: completeHelp(root, names),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				if i := slices.Index(names, args[0]); i >= 0 {
					_, err := fmt.Fprintln(a.stdout, strings.TrimSpace(hang(topics[i].text(), topicWidth(a.stdout))))
					return err
				}
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage(fmt.Sprintf("unknown command or topic %q", strings.Join(args, " ")), fault.Suggest(strings.Join(args, " "), append(commandNames(root), names...), "vyretop --help lists the commands; topics are "+strings.Join(names, ", ")))
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

const targetsText = `A TARGET is what a command looks at:

  a live run         by name; vyretop info lists those that can be reached. The name is that of the workload,
                     followed by -2, -3 and so on for further runs of it. Default: the only live run.
  a recording        by file; vyretop run WORKLOAD --record FILE, or vyretop record FILE, writes one.
                     The position is its end; FILE@1.5s or --at 1.5s selects another one, since launch.
  demo               the recording that is part of the program
  raw buffers        a file of control buffer, ring and debug log in sequence, as little-endian words in
                     the layout of the published peer: 160 control words and the observables
                     (--observables), slots of 16 words, and the log: its cursor in words, then records of
                     4 words. The number of slots is the last priority offset of the control buffer, or
                     --slots; without either it follows from the log's cursor. vyretop export --form raw
                     writes such a file. Values that it does not hold are absent from all output.

A live run listens on a socket that only its user can reach. Its own dashboard has control; vyretop attach watches, and
with --control steers. run --allow-control lets every attached dashboard steer, run --no-control no other process.`

func filtersText() string {
	fields := command.ConditionFields()
	return `A filter selects rows of a table. It is also the condition of --fail-if and of alerts:

  scan                     a word: rows that contain it in any column, in upper or lower case
  state=paused  tenant!=3  a column and a value; == is the same as =
  age>100  op>=0x100       numbers, decimal or hexadecimal: < <= > >=
  text~^yield  text!~done  a regular expression, up to the next space; "…" holds spaces
  !x   x y   x and y   x && y   x or y   x || y   ( )

A comparison with an unknown value is false. The columns are those that the command prints:

  tasks    ` + strings.Join(inspect.TaskTable.Fields(), " ") + `
  workers  ` + strings.Join(inspect.WorkerTable.Fields(), " ") + `
  log      ` + strings.Join(inspect.LogTable.Fields(), " ") + `
  events   ` + strings.Join(inspect.EventTable.Fields(), " ") + `
  words    ` + strings.Join(inspect.WordTable.Fields(), " ") + `

snapshot, stream and alerts compare metrics: see vyretop help metrics. The device checks the conditions of
breakpoints, so they compare numbers only: = != < <= > >= with numbers, or names of opcodes and priorities, on

  ` + strings.Join(fields[:len(fields)/2], " ") + `
  ` + strings.Join(fields[len(fields)/2:], " ")
}

func scriptsText() string {
	return `Commands steer a run: at the ":" prompt of the dashboard, from a shell with vyretop do, or from a script.

` + command.Usages("  ") + `
ID is a task ID; +7 is the seventh task that handlers spawned. Numbers are decimal, or hexadecimal with
0x. PRIORITY is critical, high, normal, low or idle. CONDITION is a filter over metrics, such as
done>1000 or queue_depth=0 and paused=0; wait is for scripts and for vyretop do.
WHEN is the condition of a breakpoint (vyretop help filters). ACTION is stop, log, count or snapshot: what
happens at the hits that hit>N and hit%N select (default: all hits).

A script has one command per line; blank lines and # comments are ignored. Each command starts when the
previous one has taken effect; a command that fails ends the script.

  wait done>100
  pause worker 1
  set aging=8 tenant-quota.3=500   # two settings at once
  resume all

vyretop run --exec FILE runs a script on a new run, vyretop attach --exec and vyretop do --exec on a live
one. In a dashboard a script may contain everything that can be typed there: views, filters, seek.
Without a dashboard, a command that fails ends the run with status 1.`
}

// wrapped lists words in lines that fit a terminal.
func wrapped(words []string) string {
	const width = 78
	var b strings.Builder
	column := 0
	for _, w := range words {
		if column += len(w) + 2; column > width {
			b.WriteByte('\n')
			column = len(w) + 2
		}
		b.WriteString("  " + w)
	}
	return b.String()
}

// columnsOf aligns rows of cells, which are separated by tabs.
func columnsOf(write func(w *tabwriter.Writer)) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	write(t)
	_ = t.Flush() // a builder does not fail
	return b.String()
}

// helpWidth is the longest line of a topic, in cells.
const helpWidth = 120

// hang breaks lines that are longer than width between words, and indents what follows below their last column. A column in the right half of
// the width begins a line of its own.
func hang(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if ansi.StringWidth(line) > width {
			line = hangLine(line, width)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func hangLine(line string, width int) string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	at := strings.LastIndex(line, "  ") + 2
	switch {
	case at <= max(indent, 2):
		return line[:indent] + wrapWords(line[indent:], width-indent, indent)
	case at > width/2:
		head := strings.Repeat(" ", indent) + wrapWords(line[:at], width-indent, indent)
		return head + "\n" + strings.Repeat(" ", indent+4) + wrapWords(line[at:], width-indent-4, indent+4)
	}
	return line[:at] + wrapWords(line[at:], width-at, at)
}

// topicWidth is the width of topics: that of the terminal, where that is narrower.
func topicWidth(stdout io.Writer) int {
	if file, ok := terminal(stdout); ok {
		return min(columns(file), helpWidth)
	}
	return helpWidth
}

func metricsText() string {
	return "Metrics of a target. A name ends in its unit; a name without one is a count.\n\n" + columnsOf(func(w *tabwriter.Writer) {
		for _, m := range stats.Metrics {
			fmt.Fprintf(w, "  %s\t%s\n", m.Name, m.Help)
		}
	})
}

func keysText() string {
	return "Default keys of the dashboard. [keys] in the configuration binds other keys, by id.\n" + columnsOf(func(w *tabwriter.Writer) {
		section := ""
		for _, k := range pane.Keys().Bindings {
			if k.Section != section {
				section = k.Section
				fmt.Fprintf(w, "\n%s\n", section)
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\n", strings.Join(k.Keys, " "), k.ID, k.Help)
		}
	})
}

const configText = `The configuration is TOML: vyretop/config.toml in $XDG_CONFIG_HOME, or in ~/.config; VYRETOP_CONFIG names
another file. vyretop info prints the path in use, vyretop --default-config a file with every setting,
vyretop info --schema its JSON schema.

Flags override environment variables (VYRETOP_THEME for theme), which override the file. Invalid and unknown
settings, and keys with two meanings, are reported at the start, with their line.

With NO_COLOR set to any value, the dashboard uses bold, underline and reverse only; with TERM=dumb, or a
locale that is not UTF-8, ASCII characters only. --color and --ascii override both.`

func themesText() string {
	return `The dashboard uses the terminal's own 16 colors. --theme, or theme in the configuration, selects one of ` + strings.Join(theme.Names(), ", ") + `.

A theme of your own is a file NAME.toml in the folder themes next to the configuration file:

  base = "light"
  [roles]
  running = "bold green"
  fault   = "bold reverse #d55e00"
  paused  = "214"

A role is bold, dim, underline, reverse and at most one color: black, red, green, yellow, blue, magenta,
cyan, white, each also with bright- before it, a number from 0 to 255, or #rrggbb. The roles are:

` + wrapped(theme.RoleNames())
}

func alertsText() string {
	text := config.Default()
	return `An alert is a condition over metrics, optionally for a minimum time, or two bounds of a metric. It is listed
with its time, and can show a badge, ring the bell, or save the snapshot to a file (` + strings.Join(alert.Actions, ", ") + `).
A bound ends ` + fmt.Sprint(alert.DefaultHysteresis) + ` percent below it (setting hysteresis), so that a value near the bound does not ring
repeatedly. In the dashboard, a lists alerts and acknowledges them. The defaults:

` + strings.ReplaceAll(text[strings.Index(text, "#[[alert]]"):], "#", "  ")
}

const exitText = `  0  success
  1  the run or its verification failed, or the run was cut short and not verified; backends differ, or a condition
     is true: diff found a difference, stall a stall, --fail-if something that matches
  2  wrong usage, or input that cannot be used: a file, a configuration, a filter
  3  no device or no live run of that name, or it was lost`

const jsonText = `Every document has a member schema, such as "vyretop.snapshot/1". The number increases when members change
their meaning or are removed; new members do not change it. A member's name ends in its unit (taken_ms).
Unknown values are absent, never 0. The members of tables are the columns that filters use.

stream, log, events and export print NDJSON: one object per line, with its schema. In the log,
{"lost": N} takes the place of N missing records.`
