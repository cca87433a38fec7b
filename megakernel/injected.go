package megakernel

import (
	"fmt"

	"vyretop/tasks"
)

// Injected is a task that a user adds to those of a workload.
type Injected struct {
	Opcode   uint32         `json:"opcode"`
	Words    []uint32       `json:"words,omitempty"` // of the slot, from tasks.WordInputHandle on
	Priority tasks.Priority `json:"priority"`
	Tenant   uint32         `json:"tenant,omitempty"`
}

// MaxInjectedWords is how many words an injected task brings: those up to tasks.WordContinuationData.
const MaxInjectedWords = tasks.WordContinuationData - tasks.WordInputHandle + 1

// InjectedIDBase is the first id of injected tasks; those of workloads are below, those that handlers spawn from SpawnedIDBase on.
const InjectedIDBase = SpawnedIDBase - 1<<20

// IsInjected reports whether the task of an id was added by a user.
func IsInjected(id uint32) bool { return id >= InjectedIDBase && id < SpawnedIDBase }

// Task is the task as it is published, with an id.
func (x *Injected) Task(id uint32) tasks.Task {
	var words [tasks.SlotWords]uint32
	copy(words[tasks.WordInputHandle:], x.Words)
	t := tasks.FromWords(&words)
	t.TaskID, t.Opcode, t.Priority, t.Tenant = id, x.Opcode, x.Priority, x.Tenant
	return t
}

// EventSpawned is the kind of the event that tells of an injected task.
const EventSpawned = "spawned"

// Text says what the task is; opcode is the name of its handler's.
func (x *Injected) Text(id uint32, opcode string) string {
	text := fmt.Sprintf("task %s, %s, priority %v", TaskName(id), opcode, x.Priority)
	if len(x.Words) > 0 {
		text += fmt.Sprintf(", words %v", x.Words)
	}
	return text
}
