package tasks_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"vyretop/tasks"
)

// vector is one line of a golden file: an operation of the published peer, its input, and either
// its result or what identifies its error.
type vector struct {
	Op  string          `json:"op"`
	In  json.RawMessage `json:"in"`
	Out json.RawMessage `json:"out"`
	Err json.RawMessage `json:"err"`
}

// readVectors returns the lines of a golden file with the given operation, at least one. The files
// are not part of the repository; without them the test is skipped.
func readVectors(t *testing.T, name, op string) []vector {
	t.Helper()
	dir := cmp.Or(os.Getenv("VYRETOP_VECTORS"), filepath.Join("..", "..", "shared", "vectors"))
	text, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no golden vectors in %s; set VYRETOP_VECTORS to their folder to run this test", dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for lines := bufio.NewReader(bytes.NewReader(text)); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var v vector
			decode(t, line, &v)
			if v.Op == op {
				out = append(out, v)
			}
		}
		if err != nil {
			break
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no vector for %s", name, op)
	}
	return out
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("vector %.100s: %v", text, err)
	}
}

func decodeSlots(t *testing.T, text string) []uint32 {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil || len(b)%4 != 0 {
		t.Fatalf("words %.40s: %d bytes, %v", text, len(b), err)
	}
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

// taskVector is a task as the vectors spell it, in word order.
type taskVector struct {
	State            uint32 `json:"state"`
	OpHandle         uint32 `json:"op_handle"`
	TenantID         uint32 `json:"tenant_id"`
	Priority         uint32 `json:"priority"`
	InputHandle      uint32 `json:"input_handle"`
	OutputHandle     uint32 `json:"output_handle"`
	Param            uint32 `json:"param"`
	ContinuationPC   uint32 `json:"continuation_pc"`
	ContinuationData uint32 `json:"continuation_data"`
	ResumeEpoch      uint32 `json:"resume_epoch"`
	TaskID           uint32 `json:"task_id"`
	ParentTaskID     uint32 `json:"parent_task_id"`
	AgeTicks         uint32 `json:"age_ticks"`
	RequeueCount     uint32 `json:"requeue_count"`
	YieldCount       uint32 `json:"yield_count"`
	Flags            uint32 `json:"flags"`
}

func (v *taskVector) task() tasks.Task {
	return tasks.FromWords(&[tasks.SlotWords]uint32{
		v.State, v.OpHandle, v.TenantID, v.Priority, v.InputHandle, v.OutputHandle, v.Param, v.ContinuationPC,
		v.ContinuationData, v.ResumeEpoch, v.TaskID, v.ParentTaskID, v.AgeTicks, v.RequeueCount, v.YieldCount, v.Flags,
	})
}

type transitionVector struct {
	Task             taskVector `json:"task"`
	Transition       string     `json:"transition"`
	ContinuationPC   uint32     `json:"continuation_pc"`
	ContinuationData uint32     `json:"continuation_data"`
	ResumeEpoch      uint32     `json:"resume_epoch"`
	Priority         string     `json:"priority"`
	FaultCode        uint32     `json:"fault_code"`
}

func (v *transitionVector) apply(t *testing.T, task *tasks.Task) error {
	switch v.Transition {
	case "paused":
		return task.Pause(v.ContinuationPC, v.ContinuationData, v.ResumeEpoch)
	case "resumed":
		return task.Resume()
	case "yielded":
		return task.Yield(v.ContinuationPC, v.ContinuationData)
	case "requeued":
		p, err := tasks.ParsePriority(strings.ToLower(v.Priority))
		if err != nil {
			t.Fatal(err)
		}
		return task.Requeue(p, v.ContinuationPC, v.ContinuationData)
	case "completed":
		return task.Complete()
	case "faulted":
		return task.Fault(v.FaultCode)
	}
	t.Fatalf("unknown transition %q", v.Transition)
	return nil
}

func TestVectorsTransition(t *testing.T) {
	for i, v := range readVectors(t, "tasks.jsonl", "transition") {
		var in transitionVector
		decode(t, v.In, &in)
		got := in.Task.task()
		want := got
		err := in.apply(t, &got)
		if v.Err != nil {
			if err == nil || !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("vector %d: %s from %s: error is %v, want one with a Fix", i, in.Transition, want.State, err)
			}
		} else {
			var out struct{ Task taskVector }
			decode(t, v.Out, &out)
			want = out.Task.task()
			if err != nil {
				t.Errorf("vector %d: %v", i, err)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("vector %d: %s (-want +got):\n%s", i, in.Transition, diff)
		}
	}
}

func TestVectorsSnapshot(t *testing.T) {
	for i, v := range readVectors(t, "tasks.jsonl", "snapshot") {
		var in struct {
			Tasks string `json:"tasks_hex"`
		}
		var want struct {
			Ready       uint32 `json:"ready_count"`
			Paused      uint32 `json:"paused_count"`
			Yielded     uint32 `json:"yielded_count"`
			Requeued    uint32 `json:"requeued_count"`
			Running     uint32 `json:"running_count"`
			Faulted     uint32 `json:"faulted_count"`
			Requeues    uint64 `json:"total_requeues"`
			Age         uint32 `json:"max_priority_age"`
			Schedulable uint32 `json:"schedulable_count"`
		}
		decode(t, v.In, &in)
		got, err := tasks.Summarise(decodeSlots(t, in.Tasks))
		if v.Err != nil {
			if err == nil {
				t.Errorf("vector %d: no error, want %s", i, v.Err)
			}
			continue
		}
		decode(t, v.Out, &want)
		expect := tasks.QueueSnapshot{
			Ready: want.Ready, Paused: want.Paused, Yielded: want.Yielded, Requeued: want.Requeued,
			Running: want.Running, Faulted: want.Faulted, TotalRequeues: want.Requeues, MaxPriorityAge: want.Age,
		}
		if err != nil || got != expect || got.Schedulable() != want.Schedulable {
			t.Errorf("vector %d: %+v with %d schedulable, %v; want %+v with %d", i, got, got.Schedulable(), err, expect, want.Schedulable)
		}
	}
}

func TestVectorsStateFromWord(t *testing.T) {
	for i, v := range readVectors(t, "tasks.jsonl", "state_from_word") {
		var in struct{ Word uint32 }
		var want struct {
			State       *string
			Schedulable bool `json:"is_schedulable"`
		}
		decode(t, v.In, &in)
		decode(t, v.Out, &want)
		s, err := tasks.StateFromWord(in.Word)
		if (err == nil) != (want.State != nil) || s.Schedulable() != want.Schedulable || want.State != nil && !strings.EqualFold(s.String(), *want.State) {
			t.Errorf("vector %d: word %d is %v, %v, schedulable %v", i, in.Word, s, err, s.Schedulable())
		}
	}
}

func TestVectorsPriorityFromWord(t *testing.T) {
	for i, v := range readVectors(t, "tasks.jsonl", "priority_from_word") {
		var in struct{ Word uint32 }
		var want struct{ Priority *string }
		decode(t, v.In, &in)
		decode(t, v.Out, &want)
		p, err := tasks.PriorityFromWord(in.Word)
		if (err == nil) != (want.Priority != nil) || want.Priority != nil && !strings.EqualFold(p.String(), *want.Priority) {
			t.Errorf("vector %d: word %d is %v, %v", i, in.Word, p, err)
		}
	}
}
