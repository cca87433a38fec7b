package workload

import (
	"context"
	"fmt"
	"strings"

	"vyretop/engine/units"
)

// Tally counts the tasks that have ended, and of all that there were those that have not, published and spawned ones alike.
type Tally struct{ Done, Faulted, Left uint64 }

// NewTally is what has become of a number of tasks.
func NewTally(made, done, faulted uint64) Tally {
	return Tally{Done: done, Faulted: faulted, Left: max(made, done+faulted) - done - faulted}
}

// Verify checks the result of w, which has ended. Whatever its own check says, exactly as many tasks must
// have faulted as Verification.Faulted expects, and none may be left, as one that waits for a command or an epoch that never comes:
// a workload does not see the tasks that its handlers spawn.
func Verify(ctx context.Context, w Workload, ended Tally) (Verification, error) {
	v, err := w.Verify(ctx)
	if err != nil {
		return v, err
	}
	var wrong []string
	if ended.Faulted != v.Faulted {
		wrong = append(wrong, fmt.Sprintf("%s faulted, %d expected", units.Plural(int(ended.Faulted), "task"), v.Faulted))
	}
	if ended.Left > 0 {
		wrong = append(wrong, units.Plural(int(ended.Left), "task")+" left that did not end")
	}
	if len(wrong) == 0 {
		return v, nil
	}
	if !v.OK {
		wrong = append(wrong, v.Detail)
	}
	v.OK, v.Detail = false, strings.Join(wrong, "; ")
	return v, nil
}

// Verify implements Workload: it compares the buffers with the manifest's checks. Without a check about
// faults, no task is expected to fault.
func (w *generic) Verify(ctx context.Context) (Verification, error) {
	now, v := w.buffers(), Verification{OK: true}
	var passed []string
	for i, c := range w.m.Checks {
		if c.Buffer == "" {
			v.Faulted = uint64(c.Faulted)
			continue
		}
		differs, compared, err := w.compare(ctx, i, c, now[c.Buffer])
		if err != nil {
			return Verification{}, err
		}
		if differs != "" && v.OK {
			v.OK, v.Detail = false, differs
		}
		passed = append(passed, covered(c.Buffer, compared, len(now[c.Buffer])))
	}
	if v.OK {
		ended := w.ended()
		passed = append(passed, fmt.Sprintf("%d of %d tasks faulted", ended.Faulted, ended.Done+ended.Faulted))
		v.Detail = "as expected: " + strings.Join(passed, ", ")
	}
	return v, nil
}

// covered names a buffer that passed a check, and says so where the check compares only some of its words: a list of values
// is shorter than most buffers, and words behind it may be wrong.
func covered(buffer string, compared, words int) string {
	if compared == words {
		return buffer
	}
	return fmt.Sprintf("%s (%d of %d words)", buffer, compared, words)
}

// compare returns in what a buffer differs from check i, or "", and how many of its words the check compares.
func (w *generic) compare(ctx context.Context, i int, c Check, got []uint32) (differs string, compared int, err error) {
	if ctx.Err() != nil {
		return "", 0, context.Cause(ctx)
	}
	switch {
	case c.SHA256 != "":
		if sum := Digest(got); sum != c.SHA256 {
			differs = fmt.Sprintf("buffer %s has SHA-256 %s, expected %s", c.Buffer, sum, c.SHA256)
		}
		return differs, len(got), nil
	case c.Value != nil:
		differs, err = w.compareValue(ctx, i, c, got)
		return differs, len(got), err
	}
	want := c.Values
	if c.File != "" {
		if want, err = w.m.words(c.File); err != nil {
			return "", 0, err
		}
	}
	return firstDifference(c.Buffer, got, want), len(want), nil
}

// wordsBetweenLooks is how many words are compared with an expression before the context is asked again: some milliseconds.
const wordsBetweenLooks = 1 << 16

// firstDifference compares as many words as are expected; a buffer may be longer.
func firstDifference(name string, got, want []uint32) string {
	if len(want) > len(got) {
		return fmt.Sprintf("buffer %s has %d words, %d expected", name, len(got), len(want))
	}
	for k, v := range want {
		if got[k] != v {
			return fmt.Sprintf("buffer %s, word %d is %d (0x%08x), expected %d (0x%08x)", name, k, got[k], got[k], v, v)
		}
	}
	return ""
}

func (w *generic) compareValue(ctx context.Context, i int, c Check, got []uint32) (string, error) {
	for k, v := range got {
		if k%wordsBetweenLooks == 0 && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		want, err := c.Value.Eval(Env{Index: uint32(k), Flags: w.flags})
		if err != nil {
			return "", w.m.evalError("verify", i, "value", err)
		}
		if v != want {
			return fmt.Sprintf("buffer %s, word %d is %d, expected %d", c.Buffer, k, v, want), nil
		}
	}
	return "", nil
}
