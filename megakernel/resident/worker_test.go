package resident_test

import (
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// scopes are handlers for a worker, for a lane, and for the tasks that they spawn. A task comes back input_handle times;
// param says how it ends, and what it does in its last activation.
const scopes = `
shared uint mixed_parts[VT_LANES];
void crew(inout Task t) {
    uint lane = gl_LocalInvocationIndex;
    mixed_parts[lane] = lane + 1u;
    barrier();
    uint next = mixed_parts[(lane + 1u) % VT_LANES];
    barrier();
    mixed_parts[lane] = next * t.task_id;
    barrier();
    uint sum = 0u;
    for (uint i = 0u; i < VT_LANES; ++i) { sum += mixed_parts[i]; }
    t.output_handle += sum;
    if (t.continuation_pc < t.input_handle) {
        if (lane != 0u) { return; }
        if ((t.continuation_pc & 1u) == 0u) { task_yield(t, t.continuation_pc + 1u, 0u); return; }
        task_requeue(t, (t.priority + 1u) % 5u, t.continuation_pc + 1u, 0u);
        return;
    }
    if (t.param == 1u && lane >= t.task_id % VT_LANES) { task_fault(t, 1000u + lane); }
    if (t.param == 2u && !task_spawn(t, 18u, lane % 5u, 0u, 0u, 0u)) { task_fault(t, 2000u); }
    if (t.param == 3u) { task_pause(t, vt_epoch(), t.continuation_pc, 0u); t.param = 4u; }
}
void one(inout Task t) {
    t.output_handle += t.task_id;
    if (t.continuation_pc < t.input_handle) { task_yield(t, t.continuation_pc + 1u, 0u); return; }
    if (t.param == 1u) { task_fault(t, 1000u); }
    if (t.param == 2u && !task_spawn(t, 16u, 2u, 0u, 0u, 0u)) { task_fault(t, 2000u); }
    if (t.param == 3u) { task_pause(t, vt_epoch(), t.continuation_pc, 0u); t.param = 4u; }
}
void child(inout Task t) {}
`

const scopeLanes = 8

func scopesKernel(t testing.TB, b engine.Backend) *kernel.Kernel {
	c := assembleWith(t, b, kernel.Config{WorkgroupSize: scopeLanes, Slots: 1024}, scopes, "child").Config
	c.Handlers = []kernel.Handler{
		{Opcode: opWork, Name: "crew", Function: "crew", Cooperative: true},
		{Opcode: opWork + 1, Name: "one", Function: "one"},
		{Opcode: opWork + 2, Name: "child", Function: "child"},
	}
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// scopeEnd is how a task of these handlers ends, and how many it spawns.
func scopeEnd(x tasks.Task) (end megakernel.Completion, spawned int) {
	end = megakernel.Completion{Task: x.TaskID, State: tasks.Done, Param: x.Param}
	activations, each := x.InputHandle+1, x.TaskID
	crew := x.Opcode == opWork
	if crew {
		each *= scopeLanes * (scopeLanes + 1) / 2
	}
	switch x.Param {
	case 1:
		end.State, end.Code = tasks.Faulted, 1000
		if crew {
			end.Code += x.TaskID % scopeLanes
		}
	case 2:
		spawned = 1
		if crew {
			spawned = scopeLanes
		}
	case 3:
		activations, end.Param = activations+1, 4
	}
	end.Output = activations * each
	return end, spawned
}

// Tasks of lanes and of whole workers wait in the same queues and end as they do alone, whatever comes in between.
func TestLaneAndWorkerTasksMix(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, scopesKernel(t, b), resident.Options{Workers: 2})
		id, ended := uint32(0), uint64(0)
		rapid.Check(t, func(rt *rapid.T) {
			batch := work(rapid.IntRange(1, 40).Draw(rt, "tasks"), func(_ int, x *tasks.Task) {
				id++
				x.TaskID, x.Flags = id, tasks.FlagNotify
				x.Opcode = opWork + rapid.Uint32Range(0, 1).Draw(rt, "opcode")
				x.InputHandle = rapid.Uint32Range(0, 4).Draw(rt, "returns")
				x.Param = rapid.Uint32Range(0, 3).Draw(rt, "param")
			})
			want := map[uint32]megakernel.Completion{}
			for _, x := range batch {
				end, spawned := scopeEnd(x)
				want[x.TaskID] = end
				ended += uint64(1 + spawned)
			}
			publish(t, s, batch)
			for _, c := range collect(t, s, len(batch)) {
				c.Worker = 0
				if c != want[c.Task] {
					rt.Errorf("got %+v\nwant %+v", c, want[c.Task])
				}
			}
		})
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if n := s.Summary().Counters; n[megakernel.CountDone]+n[megakernel.CountFaulted] != ended {
			t.Errorf("%d tasks ended, want %d: %v", n[megakernel.CountDone]+n[megakernel.CountFaulted], ended, n)
		}
	})
}

// A worker that claims several tasks for whole workers leaves some to others, which would be idle. The reference backend runs
// the workers in turn; on a device it is chance which of them is the first to look.
func TestWorkersShareTasksOfWholeWorkers(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Seed: 1})
	s := start(t, b, scopesKernel(t, b), resident.Options{Workers: 2})
	shared := 0
	for range 50 {
		publish(t, s, work(2, func(_ int, x *tasks.Task) { x.Flags = tasks.FlagNotify }))
		if done := collect(t, s, 2); done[0].Worker != done[1].Worker {
			shared++
		}
	}
	if shared == 0 {
		t.Error("one worker ran both of two tasks, 50 times")
	}
}
