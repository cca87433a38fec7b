package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// Versions are two programs that execute recordings again, as vyretop replay --verify --json does.
type Versions struct {
	A, B   string
	Verify func(ctx context.Context, program, file string) (*Document, error)
	Folder string // of recordings with the first inputs, which are removed
}

// Bisect finds the fewest first tasks of a recording with which the two programs come to different results, by halving: with more tasks
// they are taken to differ, too. Errors are ErrNotExecutable and those of Verify.
func (v *Versions) Bisect(ctx context.Context, name string, rec *fixtures.Recording) (*Bisection, error) {
	p, err := newWholePlan(name, rec)
	if err != nil {
		return nil, err
	}
	out := &Bisection{Schema: BisectionSchema, Recording: name, Workload: p.header.Target.Workload, A: v.A, B: v.B, Published: p.tasks, End: []Unlike{}}
	whole, err := v.compare(ctx, p, p.tasks)
	if err != nil {
		return nil, err
	}
	if out.Equal = whole == nil; out.Equal {
		out.Tried = 1
		return out, nil
	}
	out.End = append(out.End, *whole.word())
	same, differs, at := 0, p.tasks, whole
	for out.Tried = 1; differs-same > 1; out.Tried++ {
		n := same + (differs-same)/2
		d, err := v.compare(ctx, p, n)
		switch {
		case err != nil:
			return nil, err
		case d == nil:
			same = n
		default:
			differs, at = n, d
		}
	}
	out.First = at.parting(p, differs)
	return out, nil
}

// documents are what the two programs say of the same recording, and differ.
type documents struct{ a, b *Document }

// compare executes the first n tasks with both programs; nil where the results are the same.
func (v *Versions) compare(ctx context.Context, p *plan, n int) (_ *documents, err error) {
	file := filepath.Join(v.Folder, fmt.Sprintf("first-%d.mcap", n))
	first := *p
	first.inputs, first.tasks = firstTasks(p.inputs, n), n
	about := megakernel.HostEvent{Kind: "bisected", Text: fmt.Sprintf("the first %d of %d tasks of %s", n, p.tasks, p.name)}
	if err := first.write(ctx, file, 1, about); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	var d documents
	if d.a, err = v.Verify(ctx, v.A, file); err != nil {
		return nil, err
	}
	if d.b, err = v.Verify(ctx, v.B, file); err != nil {
		return nil, err
	}
	if reflect.DeepEqual(d.a.outcome(), d.b.outcome()) {
		return nil, nil
	}
	return &d, nil
}

// firstTasks leaves out what comes behind the first n tasks.
func firstTasks(inputs []input, n int) (out []input) {
	for _, in := range inputs {
		if in.tasks != nil {
			if in.tasks = in.tasks[:min(n, len(in.tasks))]; len(in.tasks) == 0 {
				continue
			}
			n -= len(in.tasks)
		}
		out = append(out, in)
	}
	return out
}

// outcome is what a run came to, and nothing of how.
func (d *Document) outcome() any {
	return []any{d.Equal, d.Published, d.Tasks, d.Faults, d.Results, d.Buffers}
}

// other is the document that is not as the recording says; where neither is, b's.
func (d *documents) other() *Document {
	if d.b.Equal {
		return d.a
	}
	return d.b
}

// word is a word that differs. Where the programs name none, it is the number of tasks that were done.
func (d *documents) word() *Unlike {
	v := d.other().Divergence
	if v == nil {
		return &Unlike{Name: "tasks done", A: uint32(d.a.Tasks.Done), B: uint32(d.b.Tasks.Done)}
	}
	u := &Unlike{Buffer: v.Buffer, Index: v.Index, Name: v.Name, Task: v.Task, A: v.Recorded, B: v.Recorded}
	for _, s := range []struct {
		doc *Document
		to  *uint32
	}{{d.a, &u.A}, {d.b, &u.B}} {
		if o := s.doc.Divergence; o != nil && o.Buffer == v.Buffer && o.Index == v.Index && o.Name == v.Name {
			*s.to = o.Now
		}
	}
	return u
}

// parting describes the task with which the results begin to differ.
func (d *documents) parting(p *plan, n int) *Parting {
	out := &Parting{Input: n, Word: d.word()}
	for _, in := range p.inputs {
		out.Epoch += in.epochs
		if n > len(in.tasks) {
			n -= len(in.tasks)
			continue
		}
		seconds := in.at.Seconds()
		out.Task, out.Handler, out.Seconds = in.tasks[n-1].TaskID, p.handler(in.tasks[n-1].Opcode), &seconds
		break
	}
	if v := d.a.Divergence; v != nil {
		out.WriterA = v.Writer
	}
	if v := d.b.Divergence; v != nil {
		out.WriterB = v.Writer
	}
	return out
}
