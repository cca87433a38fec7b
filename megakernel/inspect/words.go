package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
)

// Difference is a row of the table of differences.
type Difference struct {
	words.Difference
	names *words.Names
}

// Diff compares two snapshots word by word. Words that change although nothing happens count only when
// all do. A buffer that one side does not know is left out.
func Diff(a, b *megakernel.Snapshot, all bool) Rows[Difference] {
	names := words.For(nil)
	return func(yield func(*Difference) bool) error {
		for _, buffer := range words.Buffers {
			x, y := words.Of(a, buffer), words.Of(b, buffer)
			for at := 0; len(x) > 0 && len(y) > 0 && at < max(len(x), len(y)); at += readAtOnce {
				if !differ(names, buffer, at, part(x, at), part(y, at), all, yield) {
					return nil
				}
			}
		}
		return nil
	}
}

// part is what of words is read at once, from number at on.
func part(list []uint32, at int) []uint32 {
	return list[min(at, len(list)):min(at+readAtOnce, len(list))]
}

// differ gives the differences of two parts of a buffer that begin with word at; false when no more are wanted.
func differ(names *words.Names, buffer string, at int, x, y []uint32, all bool, yield func(*Difference) bool) bool {
	for _, d := range words.Compare(buffer, x, y) {
		d.Index += at
		if (all || !words.Volatile(buffer, d.Index)) && !yield(&Difference{d, names}) {
			return false
		}
	}
	return true
}

// NotCompared says which buffers a comparison leaves out, and why the first of them.
type NotCompared struct {
	Buffers []string
	Err     error
}

// Error implements error.
func (m *NotCompared) Error() string {
	return fmt.Sprintf("not compared: %s: %v", strings.Join(m.Buffers, ", "), m.Err)
}

// Unwrap gives the cause.
func (m *NotCompared) Unwrap() error { return m.Err }

// DiffBuffers compares the workload's own buffers that both subjects have, word by word. Protocol buffers such as the
// log are left out. What cannot be read of them does not keep the others from being compared; the error that the rows
// end with is then a *NotCompared.
func DiffBuffers(ctx context.Context, a, b Subject) Rows[Difference] {
	names, others := NamesOf(a), NamesOf(b)
	return func(yield func(*Difference) bool) error {
		var left NotCompared
		for _, one := range names.Others() {
			two := others.Own(one.Name)
			if one.Binding < megakernel.FirstUserBinding || two == nil {
				continue
			}
			more, err := diffBuffer(ctx, a, b, &one, two, names, yield)
			if err != nil {
				left.Buffers = append(left.Buffers, one.Name)
				left.Err = errors.Join(left.Err, firstOnly(left.Err, err))
			}
			if !more {
				break
			}
		}
		if left.Err == nil {
			return nil
		}
		return &left
	}
}

// firstOnly is an error where there is none before it.
func firstOnly(before, err error) error {
	if before != nil {
		return nil
	}
	return err
}

// diffBuffer compares a buffer part by part; more is false when no more differences are wanted.
func diffBuffer(ctx context.Context, a, b Subject, one, two *megakernel.BufferInfo, names *words.Names, yield func(*Difference) bool) (more bool, err error) {
	for at := 0; at < max(one.Words, two.Words); at += readAtOnce {
		x, err := readOwn(ctx, a, one, at)
		var y []uint32
		if err == nil {
			y, err = readOwn(ctx, b, two, at)
		}
		if err != nil {
			return true, err
		}
		if !differ(names, one.Name, at, x, y, true, yield) {
			return false, nil
		}
	}
	return true, nil
}

// Both gives the rows of one and then those of another; the error is that of both.
func Both[T any](one, other Rows[T]) Rows[T] {
	return func(yield func(*T) bool) error {
		going := true
		err := one(func(row *T) bool { going = yield(row); return going })
		if !going {
			return err
		}
		return errors.Join(err, other(yield))
	}
}

// DiffTable is the table of differences.
var DiffTable = Table[Difference]{
	{"buffer", func(d *Difference) any { return d.Buffer }},
	{"index", func(d *Difference) any { return num(d.Index) }},
	{"name", func(d *Difference) any { return d.names.Name(d.Buffer, d.Index) }},
	{"a", known(func(d *Difference) any { return num(d.A) }, hasA)},
	{"b", known(func(d *Difference) any { return num(d.B) }, hasB)},
	{"a_text", known(func(d *Difference) any { return d.meaning(d.A) }, hasA)},
	{"b_text", known(func(d *Difference) any { return d.meaning(d.B) }, hasB)},
}

func hasA(d *Difference) bool { return !d.OnlyB }

func hasB(d *Difference) bool { return !d.OnlyA }

// known is get for a side that has the word.
func known(get func(*Difference) any, has func(*Difference) bool) func(*Difference) any {
	return func(d *Difference) any {
		if !has(d) {
			return nil
		}
		return get(d)
	}
}

func (d *Difference) meaning(w uint32) any {
	if text := d.names.Meaning(d.Buffer, d.Index, w); text != "" {
		return text
	}
	return nil
}
