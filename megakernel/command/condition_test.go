package command

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
)

// taskRow is a task as a filter sees it under the names of conditions.
type taskRow struct {
	words        [tasks.SlotWords]uint32
	worker, slot uint32
	epoch        uint32
}

func (r *taskRow) Number(column int) uint64 {
	switch f := conditionFields[column].field; f {
	case breakpoint.Worker:
		return uint64(r.worker)
	case breakpoint.Slot:
		return uint64(r.slot)
	case breakpoint.Epoch:
		return uint64(r.epoch)
	default:
		return uint64(r.words[f])
	}
}

func (r *taskRow) Text(column int) []byte { return strconv.AppendUint(nil, r.Number(column), 10) }

// randomCondition writes a condition of about that many comparisons.
func randomCondition(rng *rand.Rand, n int) string {
	if n <= 1 {
		op := []string{"=", "==", "!=", "<", "<=", ">", ">="}[rng.IntN(7)]
		return fmt.Sprintf("%s%s%d", conditionFields[rng.IntN(len(conditionFields))].name, op, rng.IntN(4))
	}
	join := []string{" and ", "&&", " ", " or ", " || "}[rng.IntN(5)]
	text := randomCondition(rng, n/2) + join + randomCondition(rng, n-n/2)
	switch rng.IntN(3) {
	case 0:
		return "(" + text + ")"
	case 1:
		return "!(" + text + ")"
	}
	return text
}

// TestConditionsMeanWhatFiltersMean: the program of a condition matches the tasks that the same filter matches.
func TestConditionsMeanWhatFiltersMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	matched, compiled := 0, 0
	for range 2000 {
		text := randomCondition(rng, 1+rng.IntN(5))
		program, err := CompileCondition(text, nil)
		if err != nil {
			if !strings.Contains(err.Error(), "at most") {
				t.Fatalf("%s: %v", text, err)
			}
			continue // too long
		}
		compiled++
		expr, err := filter.Parse(text, ConditionFields())
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			row := taskRow{worker: rng.Uint32N(4), slot: rng.Uint32N(4), epoch: rng.Uint32N(4)}
			for i := range row.words {
				row.words[i] = rng.Uint32N(4)
			}
			got, want := program.Match(&row.words, breakpoint.At{Worker: row.worker, Slot: row.slot, Epoch: row.epoch}), expr.Match(&row)
			if got != want {
				t.Fatalf("%s of %+v: the program says %v, the filter %v", text, row, got, want)
			}
			if got {
				matched++
			}
		}
	}
	if compiled < 1000 || matched < 1000 {
		t.Errorf("only %d conditions and %d matches were compared", compiled, matched)
	}
}

// TestNamesInConditions: names stand for numbers where a field has any.
func TestNamesInConditions(t *testing.T) {
	opcodes := map[uint32]string{7: "Scan", 9: "merge"}
	for text, want := range map[string]uint32{
		"op=scan": 7, "opcode=MERGE": 9, "op=0x10": 16, "op=nop": 0, "priority=high": uint32(tasks.High), "id=+7": 1<<31 | 7, "parent=12": 12,
	} {
		p, err := CompileCondition(text, opcodes)
		if err != nil || len(p) != 1 || p[0].Value != want {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
	for text, want := range map[string]string{
		"op=fly": "Fix: use a number, or one of Scan, merge", "tenant=4294967296": "Fix: use a number such as", "id=x": "Fix: use a number such as",
	} {
		if _, err := CompileCondition(text, opcodes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
