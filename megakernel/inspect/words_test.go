package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// largeRing is a snapshot with a task in every slot.
func largeRing(slots int) *megakernel.Snapshot {
	s := snapshot()
	s.Slots = make([]uint32, slots*tasks.SlotWords)
	for i := range slots {
		s.Slots[i*tasks.SlotWords+tasks.WordState] = uint32(tasks.Ready)
		s.Slots[i*tasks.SlotWords+tasks.WordTaskID] = uint32(i)
	}
	return s
}

// BenchmarkWords prints the words of a ring, which has up to 16 million of them.
func BenchmarkWords(b *testing.B) {
	const slots = 1 << 14
	s := largeRing(slots)
	subject := &raw{snapshot: s}
	rows, err := WordsOf(b.Context(), subject, s, words.Ring, "")
	if err != nil {
		b.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"json": func() error {
			return WriteDocument(io.Discard, WordsSchema, subject, stats.NewSample(s, nil), "words", WordTable, rows)
		},
		"text": func() error { return WordTable.Write(io.Discard, rows) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*slots*tasks.SlotWords), "ns/word")
		})
	}
}

// TestWordsTakeFewAllocations: printing the words of a ring of 2^18 slots took 30 s.
func TestWordsTakeFewAllocations(t *testing.T) {
	const slots, most = 256, 9
	s := largeRing(slots)
	subject := &raw{snapshot: s}
	rows, err := WordsOf(t.Context(), subject, s, words.Ring, "")
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(3, func() {
		if err := WriteDocument(io.Discard, WordsSchema, subject, stats.NewSample(s, nil), "words", WordTable, rows); err != nil {
			t.Fatal(err)
		}
	}) / (slots * tasks.SlotWords)
	if got > most {
		t.Errorf("%.1f allocations for each word, want %d at most", got, most)
	}
}

// TestDocumentsAreAsPackageJSONWritesThem: rows are encoded by hand.
func TestDocumentsAreAsPackageJSONWritesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := Word{Buffer: rapid.String().Draw(t, "buffer"), Index: rapid.IntRange(0, math.MaxInt).Draw(t, "index"), Name: rapid.SampledFrom([]string{"", "a\"b", "<&>", "\x7f\xff", "é\u2028"}).Draw(t, "name"), Value: rapid.Uint32().Draw(t, "value")}
		members := []any{"buffer", row.Buffer, "index", row.Index, "name", row.Name, "value", row.Value, "hex", fmt.Sprintf("0x%08x", row.Value)}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("    ", "  ")
		want.WriteByte('{')
		for i := 0; i < len(members); i += 2 {
			want.WriteString("\n      \"" + members[i].(string) + "\": ")
			if err := e.Encode(members[i+1]); err != nil {
				t.Fatal(err)
			}
			want.Truncate(want.Len() - 1)
			want.WriteByte(',')
		}
		want.Truncate(want.Len() - 1)
		want.WriteString("\n    }")
		if diff := cmp.Diff(want.String(), string(WordTable.appendIndented(nil, &row))); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
