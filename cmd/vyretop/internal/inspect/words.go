package inspect

import (
	"math"

	"vyretop/megakernel"
	"vyretop/megakernel/words"
)

// Difference is a row of the table of differences.
type Difference struct {
	words.Difference
	names *words.Names
}

// Diff compares two snapshots word by word. Words that change although nothing happens count only when
// all do.
func Diff(a, b *megakernel.Snapshot, all bool) []Difference {
	names := words.For(nil)
	list := words.Diff(nil, a, b, all, math.MaxInt).List
	out := make([]Difference, len(list))
	for i := range list {
		out[i] = Difference{list[i], names}
	}
	return out
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
