package inspect

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// longRun is what a run of tasks that take many turns says: n records in batches, a snapshot behind each.
func longRun(n int, each func(*fixtures.StreamMessage)) {
	const batch, lanes = 500, 8
	task := tasks.Task{State: tasks.Ready, Opcode: 0x100, TaskID: 1}
	words := task.Words()
	for at := 0; at < n; at += batch {
		var records []megakernel.LogRecord
		for i := at; i < at+batch; i++ {
			records = append(records, megakernel.LogRecord{Number: uint64(i), Format: megakernel.LogEventBase + uint32(megakernel.EventYield), Task: uint32(i%700 + 1), Opcode: 0x100, Lane: uint16(i % lanes), Time: uint64(i / lanes)})
		}
		each(&fixtures.StreamMessage{Log: records})
		table := make([]uint32, megakernel.WorkerWords)
		table[megakernel.WkHeartbeat] = uint32((at + batch) / lanes)
		control := make([]uint32, 160)
		each(&fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Taken: time.Duration(at) * time.Microsecond, Workers: 1, Lanes: lanes, Slots: words[:], WorkerTable: table, Control: control}})
	}
}

// size is a writer that counts.
type size int64

func (c *size) Write(p []byte) (int, error) {
	*c += size(len(p))
	return len(p), nil
}

// TestExportsAreSmall: traces had 120 bytes for each record of the log, a hundred times what the recording has.
func TestExportsAreSmall(t *testing.T) {
	const records = 50_000
	h := fixtures.Header{Target: megakernel.Target{Workload: "long", Opcodes: map[uint32]string{0x100: "turn"}}}
	var perfetto, otlp size
	zip := gzip.NewWriter(&otlp) // as of a name that ends in .gz
	p, o := NewPerfetto(&perfetto, h), NewOTLP(zip, h)
	longRun(records, func(m *fixtures.StreamMessage) {
		if err := errors.Join(p.Take(m), o.Take(m)); err != nil {
			t.Fatal(err)
		}
	})
	if err := errors.Join(p.Close(), o.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("bytes for a record: perfetto %.1f, otlp %.1f", float64(perfetto)/records, float64(otlp)/records)
	if perfetto > 12*records || otlp > 60*records {
		t.Errorf("perfetto has %d bytes for %d records, otlp %d", perfetto, records, otlp)
	}
}

// embedded opens the recording that is part of the program.
func embedded(t *testing.T) Subject {
	t.Helper()
	s, err := Open(t.Context(), Embedded, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestPartsOfRecordings: --from begins with the first snapshot there, and a filter leaves only its records, without telling that the
// others are lost.
func TestPartsOfRecordings(t *testing.T) {
	s := embedded(t)
	start, end := s.(*recorded).rec.Span()
	from := (start + end) / 2
	var all, late []time.Duration
	note := func(to *[]time.Duration) func(*fixtures.StreamMessage) error {
		return func(m *fixtures.StreamMessage) error {
			if m.Snapshot != nil {
				*to = append(*to, m.Snapshot.Taken)
			}
			if len(m.Log) > 0 && to == &late && len(late) == 0 {
				t.Error("records before the first snapshot")
			}
			return nil
		}
	}
	if err := errors.Join(s.Follow(t.Context(), note(&all)), From(s, from).Follow(t.Context(), note(&late))); err != nil {
		t.Fatal(err)
	}
	var want []time.Duration
	for _, at := range all {
		if at >= from {
			want = append(want, at)
		}
	}
	if fmt.Sprint(late) != fmt.Sprint(want) || len(want) == 0 || len(want) == len(all) {
		t.Errorf("%d snapshots from %v on, want %d of %d", len(late), from, len(want), len(all))
	}
	keep, err := LogTable.Filter("kind=fault")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{formTrace, formLines} {
		var out bytes.Buffer
		e := Exporting{Form: form, Selection: Selection{Keep: keep}}
		if err := e.Write(t.Context(), s, &out); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.Count(text, "fault") == 0 || strings.Contains(text, `"outcome":"done"`) || strings.Contains(text, `"kind":"done"`) || strings.Contains(text, "lost\"") && !strings.Contains(text, "log_lost") {
			t.Errorf("%s: %.300s", form, text)
		}
	}
}

// TestInterruptedExportsTell: what was written until Ctrl-C looked like the whole.
func TestInterruptedExportsTell(t *testing.T) {
	for _, form := range []string{formLines, formCSV, formTrace, FormPerfetto, FormOTLP, FormMCAP, FormParquet} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		e := Exporting{Form: form, Table: Tables[0]}
		if err := e.Write(ctx, embedded(t), io.Discard); !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// TestMeterTellsSizes: a large export is told once, by what was written, and a limit ends it. An estimate from the time read said 3.93 GB of
// an export of 0.31 GB, most of which came from the first seconds.
func TestMeterTellsSizes(t *testing.T) {
	s := embedded(t)
	m := NewMeter(io.Discard, s, 0, 0)
	told := 0
	m.OnLarge(1000, func() {
		if told++; m.Written() <= 1000 || !strings.Contains(m.String(), units.Bytes(m.Written())+" written") {
			t.Errorf("told of %d bytes as %s", m.Written(), m)
		}
	})
	e := Exporting{Form: formLines, Meter: m}
	if err := e.Write(t.Context(), s, m); err != nil {
		t.Fatal(err)
	}
	if share, ok := m.Share(); told != 1 || !ok || share < 0.95 || strings.Contains(m.String(), "about") || !strings.Contains(m.String(), " % of the recording's time read, ") {
		t.Errorf("told %d times, %s", told, m)
	}
	limited := NewMeter(io.Discard, s, 0, 1000)
	e.Meter = limited
	if err := e.Write(t.Context(), s, limited); !errors.Is(err, ErrLimit) || limited.Written() > 1000 {
		t.Errorf("%d bytes, %v", limited.Written(), err)
	}
}
