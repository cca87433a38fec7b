package report

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/safe"
	"vyretop/tasks"
)

// WriteRecording prints what a recording holds, for people: the target, the span, and the state at
// its end.
func WriteRecording(w io.Writer, rec *fixtures.Recording) error {
	h := rec.Header()
	start, end := rec.Span()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\ton %s: %s\n", safe.Text(h.Target.Workload), safe.Text(h.Target.Backend), safe.Text(h.Target.Renderer))
	fmt.Fprintf(t, "recorded\tby vyretop %s on %s, %s\n", safe.Text(h.Version), safe.Text(h.Host), h.Target.Started.UTC().Format(time.RFC3339))
	fmt.Fprintf(t, "span\t%v to %v, %d snapshots\n", start.Round(time.Millisecond), end.Round(time.Millisecond), rec.Snapshots())
	if s, _, _ := rec.SnapshotAt(math.MaxInt64); s != nil { // the last one that can be read; Damage tells of others
		writeState(t, s)
	}
	if rec.Truncated() {
		fmt.Fprintf(t, "note\tthe recording breaks off; it plays up to its last whole chunk\n")
	}
	return t.Flush()
}

func writeState(w io.Writer, s *megakernel.Snapshot) {
	byState, _ := s.StateCounts()
	fmt.Fprintf(w, "at the end\t%s, %d workers of %d lanes, epoch %d\n", s.Phase, s.Workers, s.Lanes, s.Epoch())
	fmt.Fprintf(w, "tasks\t%d submitted, %d done, %d faulted\n", s.Submitted, s.Counters[megakernel.CountDone], s.Counters[megakernel.CountFaulted])
	for state, n := range byState {
		if n > 0 && tasks.State(state) != tasks.Empty {
			fmt.Fprintf(w, "\t%d slots %s\n", n, tasks.State(state))
		}
	}
	fmt.Fprintf(w, "debug log\t%d records, %d lost\n", s.LogCursor, s.LogLost)
}
