package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/tasks"
)

// compareEnds lists what differs at the end: the first word of the results, and of each buffer.
func (out *Bisection) compareEnds(p *plan, a, b end) {
	if !p.header.Start.UnorderedResults {
		if u, ok := resultsUnlike(a.results, b.results); ok {
			out.End = append(out.End, u)
		}
	}
	for i := range p.header.Start.Buffers {
		s := &p.header.Start.Buffers[i]
		if s.Unordered {
			continue
		}
		var first *Unlike
		for at, v := range a.buffers[i] {
			if w := b.buffers[i][at]; v != w {
				if first == nil {
					first = &Unlike{Buffer: s.Name, Index: at, Name: p.nameOf(s.Name, at), A: v, B: w}
				}
				first.Different++
			}
		}
		if first != nil {
			out.End = append(out.End, *first)
		}
	}
}

// resultsUnlike finds the first published task that ends differently, and counts them. A task that does not end on a side has state 0 there.
func resultsUnlike(a, b *results) (first Unlike, found bool) {
	all := maps.Clone(a.by)
	maps.Copy(all, b.by)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		d, ok := resultsDiffer(a.by[id], b.by[id])
		if !ok {
			continue
		}
		if first.Different++; !found {
			index := slices.Index(tasks.WordNames[:], d.Word)
			first, found = Unlike{Name: "task." + d.Word, Index: index, Task: &id, A: d.Recorded, B: d.Now, Different: 1}, true
		}
	}
	return first, found
}

// partedAtTheEnd is the last activation of the first task that ended differently, where the slot had another task before its words
// could be compared.
func (out *Bisection) partedAtTheEnd(p *plan, sides [2]*side) *parting {
	first := out.End[0]
	if first.Task == nil {
		return nil
	}
	var last [2]activations.Activation
	for i, s := range sides {
		last[i] = s.trail.last[*first.Task]
	}
	if last[0].Number == 0 || last[1].Number == 0 {
		return nil
	}
	return &parting{&effect{Activation: last[0]}, &effect{Activation: last[1]}, &unlike{place: key{binding: megakernel.BindRing}, word: first.Index, a: first.A, b: first.B}}
}

// Write prints a bisection for people.
func (out *Bisection) Write(w io.Writer) error {
	p := &printer{w: w}
	p.line("%s: %s, %s", out.Recording, out.Workload, units.Plural(out.Published, "published task"))
	switch {
	case out.Supposed != "":
		p.line("  executed as recorded (A), and with %s (B): %s leave the same words", out.Supposed, units.Plural(out.Compared, "activation"))
	case out.Tried > 0:
		p.line("  executed by A, %s, and by B, %s, %s", out.A, out.B, times(out.Tried))
	default:
		p.line("  executed with the handlers of A, %s, and of B, %s: %s leave the same words", out.A, out.B, units.Plural(out.Compared, "activation"))
	}
	if out.First != nil {
		out.First.write(p)
	}
	for _, u := range out.End {
		p.line("  at the end %s", u.atTheEnd())
	}
	switch {
	case out.Broken != "":
		p.line("  the ends are not compared: %s", out.Broken)
		p.line("different: one of the runs does not end")
	case !out.Equal:
		p.line("different: the runs end differently")
	case out.First != nil:
		p.line("equal: the runs end alike, although they differ on the way")
	default:
		p.line("equal: the runs end alike")
	}
	return p.err
}

func (x *Parting) write(p *printer) {
	from := "spawned"
	switch {
	case x.Seconds != nil:
		from = fmt.Sprintf("published task %d, at %.3f s", x.Input, *x.Seconds)
	case x.Parent != nil:
		from = "spawned by task " + megakernel.TaskName(*x.Parent)
	}
	activation := ""
	if x.Activation > 0 {
		activation = fmt.Sprintf("activation %d, ", x.Activation)
	}
	p.line("first difference: task %s (%s), %shandler %s, epoch %d", megakernel.TaskName(x.Task), from, activation, x.Handler, x.Epoch)
	if x.Word == nil {
		p.line("  only %s runs it then", map[string]string{"a": "A", "b": "B"}[x.Only])
		return
	}
	for _, s := range []struct {
		side  string
		value uint32
		by    *Writer
	}{{"A", x.Word.A, x.WriterA}, {"B", x.Word.B, x.WriterB}} {
		p.line("  %s: %s is %s%s", s.side, x.Word.Name, x.Word.text(s.value), s.by.where())
	}
}

// where is the line of a write.
func (w *Writer) where() string {
	switch {
	case w == nil:
		return ", not written"
	case w.File == "":
		return ""
	}
	return fmt.Sprintf(", written by %s:%d", w.File, w.Line)
}

// text is a value of the word: states by their names.
func (u *Unlike) text(v uint32) string {
	if u.Task != nil && u.Index == tasks.WordState {
		return tasks.State(v).String()
	}
	return fmt.Sprint(v)
}

func (u *Unlike) atTheEnd() string {
	if u.Task != nil {
		return fmt.Sprintf("%s differently, first task %s: %s is %s with A, %s with B", ending(u.Different), megakernel.TaskName(*u.Task), u.Name, u.text(u.A), u.text(u.B))
	}
	return fmt.Sprintf("%s differs in %s, first %s: %d with A, %d with B", u.Buffer, units.Plural(u.Different, "word"), u.Name, u.A, u.B)
}

func ending(n int) string {
	if n == 1 {
		return "1 task ends"
	}
	return fmt.Sprintf("%d tasks end", n)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("with %d numbers of first tasks", n)
}
