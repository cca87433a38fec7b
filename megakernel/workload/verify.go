package workload

import (
	"context"
	"fmt"
	"strings"
)

// Verify implements Workload: it holds the buffers at the end against the manifest's checks. Without
// a check about faults, no task may have faulted.
func (w *generic) Verify(context.Context) (Verification, error) {
	faults, now := Check{}, w.buffers()
	var passed []string
	for i, c := range w.m.Checks {
		if c.Buffer == "" {
			faults = c
			continue
		}
		differs, err := w.compare(i, c, now[c.Buffer])
		if err != nil {
			return Verification{}, err
		}
		if differs != "" {
			return Verification{Detail: differs}, nil
		}
		passed = append(passed, c.Buffer)
	}
	if w.faulted != int64(faults.Faulted) {
		return Verification{Detail: fmt.Sprintf("%d tasks faulted, %d expected", w.faulted, faults.Faulted)}, nil
	}
	passed = append(passed, fmt.Sprintf("%d faults in %d tasks", w.faulted, w.done.Load()))
	return Verification{OK: true, Detail: "as expected: " + strings.Join(passed, ", ")}, nil
}

// compare returns in what a buffer differs from check i, or "".
func (w *generic) compare(i int, c Check, got []uint32) (string, error) {
	switch {
	case c.SHA256 != "":
		if sum := Digest(got); sum != c.SHA256 {
			return fmt.Sprintf("buffer %s has SHA-256 %s, expected %s", c.Buffer, sum, c.SHA256), nil
		}
		return "", nil
	case c.Value != nil:
		return w.compareValue(i, c, got)
	}
	want := c.Values
	if c.File != "" {
		var err error
		if want, err = w.m.words(c.File); err != nil {
			return "", err
		}
	}
	return firstDifference(c.Buffer, got, want), nil
}

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

func (w *generic) compareValue(i int, c Check, got []uint32) (string, error) {
	for k, v := range got {
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
