package targets

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel/filter"
)

// Query chooses and orders targets. The zero value is all of them, as they are.
type Query struct {
	Filter *filter.Expr
	Sort   string // name of a column, behind "-" where it is descending; "" for the order of the list
	Group  string // of GroupColumns; "" for no groups
}

// ErrQuery is matched by errors about queries, but those of filters.
const ErrQuery fault.Kind = "invalid choice of targets"

// GroupColumns are the columns that targets are grouped by.
var GroupColumns = []string{"host", "device", "workload", "state", "verdict", "label", "run"}

// NewQuery reads a query. Errors are filter.ErrSyntax and ErrQuery.
func NewQuery(text, sort, group string) (q Query, err error) {
	if q.Filter, err = filter.Parse(text, filter.TargetColumns.Names(filter.Command)); err != nil {
		return q, err
	}
	if by := strings.TrimPrefix(sort, "-"); by != "" && Index(by) < 0 {
		names := filter.TargetColumns.Names(filter.Command)
		return q, &fault.Error{Kind: ErrQuery, Subject: fmt.Sprintf("--sort %q", sort), Detail: "unknown column", Fix: fault.Suggest(by, names, "use one of "+strings.Join(names, ", "))}
	}
	if group != "" && !slices.Contains(GroupColumns, group) {
		return q, &fault.Error{Kind: ErrQuery, Subject: fmt.Sprintf("--group %q", group), Detail: "targets are not grouped by that", Fix: fault.Suggest(group, GroupColumns, "use one of "+strings.Join(GroupColumns, ", "))}
	}
	q.Sort, q.Group = sort, group
	return q, nil
}

// Choose returns the targets that pass, in order. Equal ones keep the order of the list.
func (q *Query) Choose(list []*Target, now time.Time) []*Target {
	var out []*Target
	for _, t := range list {
		if q.Filter.Match(&Row{Target: t, Now: now}) {
			out = append(out, t)
		}
	}
	by, descending := strings.CutPrefix(q.Sort, "-")
	if column := Index(by); column >= 0 {
		slices.SortStableFunc(out, func(a, b *Target) int {
			x, y := Row{Target: a, Now: now}, Row{Target: b, Now: now}
			c := cmp.Compare(x.Number(column), y.Number(column))
			if descending {
				c = -c
			}
			return c
		})
	}
	return out
}

// Group is what several targets do together.
type Group struct {
	Key       string `json:"key"`
	Targets   int    `json:"targets"`
	Live      int    `json:"live"`
	Stalled   int    `json:"stalled"`
	TasksPerS uint64 `json:"tasks_per_s"`
	Done      uint64 `json:"done"`
	Faulted   uint64 `json:"faulted"`
	Depth     uint64 `json:"queue_depth"`
}

// Groups adds up targets by a column, in the order of its values.
func Groups(list []*Target, by string, now time.Time) []Group {
	column := Index(by)
	if column < 0 {
		return nil
	}
	at := map[string]int{}
	var out []Group
	for _, t := range list {
		key := string((&Row{Target: t, Now: now}).Text(column))
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key], out = i, append(out, Group{Key: key})
		}
		out[i].add(t)
	}
	slices.SortFunc(out, func(a, b Group) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// Total adds up targets.
func Total(list []*Target) (g Group) {
	for _, t := range list {
		g.add(t)
	}
	return g
}

func (g *Group) add(t *Target) {
	g.Targets++
	g.Done, g.Faulted = g.Done+t.Done, g.Faulted+t.Faulted
	if t.Lost || t.Ended {
		return
	}
	g.Live++
	g.Depth += t.QueueDepth
	if t.Stalled {
		g.Stalled++
	}
	if t.TasksPerS != nil {
		g.TasksPerS += *t.TasksPerS
	}
}

// Write prints targets as a table.
func Write(w io.Writer, list []*Target, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\tdevice\tworkload\tstate\tverdict\ttasks/s\tbusy\tprogress\tdone\tfaulted\tup")
	for _, x := range list {
		r := Row{Target: x, Now: now}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%v\n", x.Title(), x.Device, x.Workload, x.State(), x.Verdict,
			count(r.Value(Index("tasks_per_s"))), percent(r.Value(Index("busy_percent"))), percent(r.Value(Index("progress_percent"))), x.Done, x.Faulted,
			(time.Duration(x.UptimeMs) * time.Millisecond).Round(time.Second))
	}
	return t.Flush()
}

// WriteGroups prints groups as a table.
func WriteGroups(w io.Writer, by string, list []Group) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, by+"\ttargets\tlive\tstalled\ttasks/s\tdone\tfaulted\tqueue")
	for _, g := range list {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%d\t%d\t%d\n", g.Key, g.Targets, g.Live, g.Stalled, count(g.TasksPerS), g.Done, g.Faulted, g.Depth)
	}
	return t.Flush()
}

func count(v any) string {
	n, ok := v.(uint64)
	if !ok {
		return "-"
	}
	return string(units.AppendCount(nil, n))
}

func percent(v any) string {
	n, ok := v.(uint64)
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%d%%", n)
}
