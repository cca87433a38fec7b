package tui

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// recordQuery is a record of the log that is looked for, in all that is known of the log.
type recordQuery struct {
	text   string // as it was typed
	expr   *filter.Expr
	back   bool
	from   uint64 // number of the record to continue from
	byTime bool   // one that was read at another position
}

// atNow reports whether a live target is shown as it is.
func (ps *position) atNow() bool { return ps.transport == nil && !ps.scrub.looking }

// newestShown is the number of the newest record that is shown.
func (ps *position) newestShown() uint64 {
	if log := ps.frame().Log; len(log) > 0 {
		return log[len(log)-1].Number
	}
	return 0
}

// recordAt is the number of the record to search from: the selected one, or the newest that is shown.
func (ps *position) recordAt() uint64 {
	newest := ps.newestShown()
	if t := ps.shell.pane(keymap.Log).Table(); t.HasSelected && t.Selected < newest {
		return t.Selected
	}
	return newest
}

// seekRecord goes to the position at which a record was read, and selects it.
func (ps *position) seekRecord(q recordQuery) tea.Cmd {
	now := ps.span().At
	a := ps.can.archive
	if a == nil {
		l := &ps.feed.log
		n, at, ok := q.find(ps.ctx, &ps.target, listLog{l.records, l.at}, now)
		ps.cameToRecord(&q, n, at, ok)
		return nil
	}
	what := q.text
	if what == "" {
		what = "the next record"
	}
	return ps.lookFor(what, func(ctx context.Context) func(*model) {
		n, at, ok := q.find(ctx, &ps.target, a, now)
		return func(m *model) { m.position.cameToRecord(&q, n, at, ok) }
	})
}

func (ps *position) cameToRecord(q *recordQuery, number uint64, at time.Duration, found bool) {
	if !found {
		ps.say(theme.Plain, strings.TrimSpace("no further record of the log matches "+q.text))
		return
	}
	if ps.transport != nil {
		ps.transport.Pause()
	}
	ps.seekTime(at)
	t := ps.shell.pane(keymap.Log).Table()
	t.Selected, t.HasSelected = number, true
	ps.say(theme.Plain, "record "+units.Count(number)+", read at "+units.Clock(at))
}

// wholeLog is all records that are known.
type wholeLog interface {
	AllLog(after uint64, limit int) []megakernel.LogRecord
	LogTime(number uint64) time.Duration
}

// listLog is the records that the dashboard itself has read.
type listLog struct {
	records []megakernel.LogRecord
	at      []time.Duration
}

func (l listLog) index(number uint64) int {
	i, _ := slices.BinarySearchFunc(l.records, number, func(r megakernel.LogRecord, n uint64) int {
		return int(int64(r.Number - n))
	})
	return i
}

// AllLog implements wholeLog.
func (l listLog) AllLog(after uint64, limit int) []megakernel.LogRecord {
	rest := l.records[l.index(after):]
	return rest[:min(limit, len(rest))]
}

// LogTime implements wholeLog.
func (l listLog) LogTime(number uint64) time.Duration {
	if i := l.index(number); i < len(l.at) {
		return l.at[i]
	}
	return 0
}

// find is the next record that matches, and when it was read. Backwards it goes through the log from the beginning,
// since that is how recordings are read, and keeps the last one before the end.
func (q *recordQuery) find(ctx context.Context, t *megakernel.Target, log wholeLog, now time.Duration) (number uint64, at time.Duration, ok bool) {
	after, end := q.from+1, uint64(math.MaxUint64)
	if q.back {
		after, end = 0, q.end(log, now)
	}
	for ctx.Err() == nil && after < end {
		records := log.AllLog(after, batch)
		if len(records) == 0 {
			break
		}
		rows := pane.NewLog(&pane.Frame{Target: t, Log: records}, 0)
		for i := range rows.Len() {
			r, there := rows.Record(i)
			if !there || r.Number >= end || (ok && !q.back) || !pane.Matches(rows, q.expr, i) {
				continue
			}
			number, ok = r.Number, true
		}
		if ok && !q.back {
			break
		}
		after = records[len(records)-1].Number + 1
	}
	if ok {
		at = log.LogTime(number)
	}
	return number, at, ok && ctx.Err() == nil
}

// end is the record before which one is looked for: the one to continue from, or the first that was read as late as now.
func (q *recordQuery) end(log wholeLog, now time.Duration) uint64 {
	if !q.byTime {
		return q.from
	}
	return uint64(sort.Search(int(q.from)+1, func(n int) bool { return log.LogTime(uint64(n)) >= now }))
}
