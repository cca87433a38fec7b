package vectors

import (
	"errors"
	"strings"

	"vyretop/megakernel/peer"
	"vyretop/megakernel/policy"
	"vyretop/tasks"
)

// taskJSON is a task as the vectors spell it, in word order.
type taskJSON struct {
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

func (v *taskJSON) task() tasks.Task {
	return tasks.FromWords(&[tasks.SlotWords]uint32{
		v.State, v.OpHandle, v.TenantID, v.Priority, v.InputHandle, v.OutputHandle, v.Param, v.ContinuationPC,
		v.ContinuationData, v.ResumeEpoch, v.TaskID, v.ParentTaskID, v.AgeTicks, v.RequeueCount, v.YieldCount, v.Flags,
	})
}

// taskOut is a task and its words.
type taskOut struct {
	Task taskJSON `json:"task"`
	Hex  hexBytes `json:"hex"`
}

func outOf(t tasks.Task) taskOut {
	w := t.Words()
	return taskOut{taskJSON{w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15]}, peer.Bytes(w[:])}
}

// title spells a name as the vectors do; nil where the word has none.
func title(name string, err error) any {
	if err != nil {
		return nil
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func stateName(w uint32) any {
	s, err := tasks.StateFromWord(w)
	return title(s.String(), err)
}

func priorityName(w uint32) any {
	p, err := tasks.PriorityFromWord(w)
	return title(p.String(), err)
}

func priorityNamed(name string) tasks.Priority {
	p, err := tasks.ParsePriority(strings.ToLower(name))
	if err != nil {
		panic(err)
	}
	return p
}

type transitionIn struct {
	Task        taskJSON `json:"task"`
	Transition  string   `json:"transition"`
	PC          uint32   `json:"continuation_pc"`
	Data        uint32   `json:"continuation_data"`
	ResumeEpoch uint32   `json:"resume_epoch"`
	Priority    string   `json:"priority"`
	FaultCode   uint32   `json:"fault_code"`
}

func (in *transitionIn) apply(t *tasks.Task) error {
	switch in.Transition {
	case "paused":
		return t.Pause(in.PC, in.Data, in.ResumeEpoch)
	case "resumed":
		return t.Resume()
	case "yielded":
		return t.Yield(in.PC, in.Data)
	case "requeued":
		return t.Requeue(priorityNamed(in.Priority), in.PC, in.Data)
	case "completed":
		return t.Complete()
	case "faulted":
		return t.Fault(in.FaultCode)
	}
	return errors.New("unknown transition " + in.Transition)
}

// queueJSON is a queue as the vectors spell it.
type queueJSON struct {
	Ready    uint32 `json:"ready_count"`
	Paused   uint32 `json:"paused_count"`
	Yielded  uint32 `json:"yielded_count"`
	Requeued uint32 `json:"requeued_count"`
	Running  uint32 `json:"running_count"`
	Faulted  uint32 `json:"faulted_count"`
	Requeues uint64 `json:"total_requeues"`
	Age      uint32 `json:"max_priority_age"`
}

func (v *queueJSON) queue() *tasks.QueueSnapshot {
	return &tasks.QueueSnapshot{
		Ready: v.Ready, Paused: v.Paused, Yielded: v.Yielded, Requeued: v.Requeued, Running: v.Running, Faulted: v.Faulted,
		TotalRequeues: v.Requeues, MaxPriorityAge: v.Age,
	}
}

type queueOut struct {
	queueJSON
	Schedulable uint32 `json:"schedulable_count"`
	Pressure    uint64 `json:"continuation_pressure_count"`
}

func summarise(in struct {
	Tasks hexBytes `json:"tasks_hex"`
}) (any, error) {
	q, err := tasks.Summarise(words(in.Tasks))
	if err != nil {
		return nil, err
	}
	out := queueOut{queueJSON: queueJSON{q.Ready, q.Paused, q.Yielded, q.Requeued, q.Running, q.Faulted, q.TotalRequeues, q.MaxPriorityAge}}
	if out.Schedulable, err = policy.Schedulable(&q); err != nil {
		return nil, err
	}
	out.Pressure, err = policy.ContinuationPressure(&q)
	return out, err
}

var _ = register("tasks", map[string]operation{
	"constants": op(func(none) (any, error) {
		return map[string]uint32{
			"task_slot_words": tasks.SlotWords, "task_slot_bytes": tasks.SlotBytes, "flag_paused": tasks.FlagPaused,
			"flag_yielded": tasks.FlagYielded, "flag_requeue_requested": tasks.FlagRequeueRequested, "flag_resume_ready": tasks.FlagResumeReady,
		}, nil
	}),
	"state_from_word": op(func(in struct{ Word uint32 }) (any, error) {
		return map[string]any{"state": stateName(in.Word), "is_schedulable": tasks.State(in.Word).Schedulable()}, nil
	}),
	"priority_from_word": op(func(in struct{ Word uint32 }) (any, error) {
		return map[string]any{"priority": priorityName(in.Word)}, nil
	}),
	"from_work_item": op(func(in struct {
		TaskID   uint32 `json:"task_id"`
		Tenant   uint32 `json:"tenant_id"`
		Priority string `json:"priority"`
		Opcode   uint32 `json:"op_handle"`
		Input    uint32 `json:"input_handle"`
		Output   uint32 `json:"output_handle"`
		Param    uint32 `json:"param"`
	}) (any, error) {
		return outOf(tasks.Task{
			State: tasks.Ready, TaskID: in.TaskID, Tenant: in.Tenant, Priority: priorityNamed(in.Priority),
			Opcode: in.Opcode, InputHandle: in.Input, OutputHandle: in.Output, Param: in.Param,
		}), nil
	}),
	"layout": op(func(in taskJSON) (any, error) {
		t := in.task()
		return map[string]any{
			"hex": outOf(t).Hex, "task_state": stateName(uint32(t.State)), "task_priority": priorityName(uint32(t.Priority)),
			"is_schedulable": t.State.Schedulable(), "work_item": []uint32{t.Opcode, t.InputHandle, t.OutputHandle, t.Param},
		}, nil
	}),
	"transition": op(func(in transitionIn) (any, error) {
		t := in.Task.task()
		err := in.apply(&t)
		return outOf(t), err
	}),
	"snapshot": op(summarise),
	"try_apply_to_launch_request": op(func(in struct {
		Snapshot queueJSON      `json:"snapshot"`
		Request  policy.Request `json:"request"`
	}) (any, error) {
		err := in.Request.AddQueue(in.Snapshot.queue())
		return in.Request, err
	}),
	"try_schedulable_count": op(func(in queueJSON) (any, error) {
		n, err := policy.Schedulable(in.queue())
		return single{n}, err
	}),
	"try_continuation_pressure_count": op(func(in queueJSON) (any, error) {
		n, err := policy.ContinuationPressure(in.queue())
		return single{n}, err
	}),
})
