package inspect

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// TaskDifference is a row of the table of how two recordings differ by task: a word with which the host published a task, or with
// which the task ended.
type TaskDifference struct {
	Task  uint32
	Epoch uint32 // in which A published it; B, where A did not
	Word  string
	A, B  any // nil for a recording that does not have it
}

// TaskDiffTable is the table of them.
var TaskDiffTable = Table[TaskDifference]{
	{"task", func(d *TaskDifference) any { return taskID(d.Task) }},
	{"epoch", func(d *TaskDifference) any { return num(d.Epoch) }},
	{"word", func(d *TaskDifference) any { return d.Word }},
	{"a", func(d *TaskDifference) any { return d.A }},
	{"b", func(d *TaskDifference) any { return d.B }},
}

// TaskDiffSchema is that of the JSON document of WriteTaskDiff.
const TaskDiffSchema = "vyretop.taskdiff/1"

// ErrManyTasks is matched by errors about recordings with more tasks than are compared.
const ErrManyTasks fault.Kind = "too many tasks to compare"

// maxDiffTasks bounds the tasks of a recording that are compared: some 600 MiB.
const maxDiffTasks = 4 << 20

// published is what a recording has of a published task.
type published struct {
	epoch uint32
	words [tasks.SlotWords]uint32
	end   *megakernel.Completion
}

// publishedWords are those that the host decides.
var publishedWords = []int{tasks.WordOpcode, tasks.WordTenant, tasks.WordPriority, tasks.WordInputHandle, tasks.WordOutputHandle, tasks.WordParam}

// DiffTasks compares two recordings task by task, wherever in time each published and ended it. Errors match ErrManyTasks and
// megakernel.ErrOtherWorkload.
func DiffTasks(a, b *fixtures.Recording) (Rows[TaskDifference], error) {
	one, other := a.Header().Target, b.Header().Target
	if err := megakernel.SameWorkload(&one, &other); err != nil {
		return nil, err
	}
	x, err := publishedOf(a)
	if err != nil {
		return nil, err
	}
	y, err := publishedOf(b)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(x)
	maps.Copy(all, y)
	ids := slices.Sorted(maps.Keys(all))
	return func(yield func(*TaskDifference) bool) error {
		for _, id := range ids {
			if !differTask(id, x[id], y[id], yield) {
				break
			}
		}
		return nil
	}, nil
}

func publishedOf(rec *fixtures.Recording) (map[uint32]*published, error) {
	out, epoch := map[uint32]*published{}, uint32(0)
	for in := range rec.Inputs(0) {
		if c := in.Command; c != nil {
			if c.Op == megakernel.OpAdvanceEpoch {
				epoch = max(epoch+c.Arg, c.Desired)
			}
			continue
		}
		for i := range in.Tasks {
			t := &in.Tasks[i]
			out[t.TaskID] = &published{epoch: epoch, words: t.Words()}
		}
		if len(out) > maxDiffTasks {
			return nil, &fault.Error{Kind: ErrManyTasks, Op: "compare tasks", Detail: fmt.Sprintf("a recording has more than %d", maxDiffTasks), Fix: "record shorter runs, or compare buffers with vyretop diff without --tasks"}
		}
	}
	for c := range rec.Results() {
		if p := out[c.Task]; p != nil {
			p.end = &c
		}
	}
	return out, nil
}

// differTask gives the differences of a task; false when no more are wanted.
func differTask(id uint32, a, b *published, yield func(*TaskDifference) bool) bool {
	switch {
	case a == nil:
		return yield(&TaskDifference{id, b.epoch, "published", nil, "yes"})
	case b == nil:
		return yield(&TaskDifference{id, a.epoch, "published", "yes", nil})
	}
	row := func(word string, x, y any) bool { return x == y || yield(&TaskDifference{id, a.epoch, word, x, y}) }
	if !row("published in epoch", num(a.epoch), num(b.epoch)) {
		return false
	}
	for _, w := range publishedWords {
		if !row("published "+tasks.WordNames[w], num(a.words[w]), num(b.words[w])) {
			return false
		}
	}
	x, y := endOf(a.end), endOf(b.end)
	for i, word := range []string{"state", "continuation_data", "output_handle", "param"} {
		if !row("ended "+word, x[i], y[i]) {
			return false
		}
	}
	return true
}

// endOf are the words with which a task ended; nil for one that did not.
func endOf(c *megakernel.Completion) (out [4]any) {
	if c != nil {
		out = [4]any{c.State.String(), num(c.Code), num(c.Output), num(c.Param)}
	}
	return out
}

// WriteTaskDiff prints differences as a JSON document.
func WriteTaskDiff(w io.Writer, equal bool, rows Rows[TaskDifference]) error {
	var o object
	o.add("schema", TaskDiffSchema)
	o.add("equal", equal)
	return writeDocument(w, &o, "differences", TaskDiffTable, rows)
}
