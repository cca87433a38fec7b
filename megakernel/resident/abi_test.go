package resident_test

import (
	"fmt"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// probeHandler writes every word of its task and every constant of the header to a buffer, by name,
// and then a value of its own into every word of the task that a handler may change.
func probeHandler() string {
	var b strings.Builder
	b.WriteString("layout(std430, binding = 11) buffer Probe { uint probe[]; };\nvoid tell(inout Task t) {\n")
	for i, name := range tasks.WordNames {
		fmt.Fprintf(&b, "    probe[%d] = t.%s;\n", i, name)
	}
	var values []string // in one array: drivers that inline everything compile as many stores for seconds
	for _, g := range megakernel.Constants() {
		for _, c := range g.Constants {
			values = append(values, "uint("+c.Name+")")
		}
	}
	fmt.Fprintf(&b, "    const uint values[%d] = uint[](%s);\n    for (int i = 0; i < %[1]d; ++i) { probe[%[3]d + i] = values[i]; }\n", len(values), strings.Join(values, ", "), tasks.SlotWords)
	b.WriteString(`    t.input_handle = 1001u; t.output_handle = 1002u; t.param = 1003u;
    task_pause(t, HELD_EPOCH, 1004u, 1005u);
}
`)
	return b.String()
}

// What the host means by a word must be what the kernel means by it.
func TestEveryFieldIsWhereTheOtherSideLooks(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, remembering(t, b), resident.Options{Workers: 1, Activation: 1024, Buffers: remembered})
		sent := tasks.Task{
			State: tasks.Ready, Opcode: opTell, Tenant: 3, Priority: tasks.High, InputHandle: 104, OutputHandle: 105, Param: 106,
			ContinuationPC: 107, ContinuationData: 108, ResumeEpoch: 109, TaskID: 110, ParentTaskID: 111,
			AgeTicks: 112, RequeueCount: 113, YieldCount: 114, Flags: tasks.FlagYielded | tasks.FlagNotify,
		}
		publish(t, s, []tasks.Task{sent})
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		probe := s.Buffer("probe")
		for i, want := range sent.Words() {
			if got := probe.Load(i); got != want {
				t.Errorf("the kernel reads %s = %d, the host wrote %d", tasks.WordNames[i], got, want)
			}
		}
		checkConstants(t, probe)
		checkReturned(t, s, sent)
	})
}

func checkConstants(t *testing.T, probe engine.Words) {
	at := tasks.SlotWords
	for _, g := range megakernel.Constants() {
		for _, c := range g.Constants {
			if got := probe.Load(at); got != c.Value {
				t.Errorf("%s is %d in the kernel and %d in Go", c.Name, got, c.Value)
			}
			at++
		}
	}
}

// checkReturned compares the slot that the kernel wrote back with what the handler left.
func checkReturned(t *testing.T, s *resident.Session, sent tasks.Task) {
	want := sent
	want.InputHandle, want.OutputHandle, want.Param = 1001, 1002, 1003
	if err := want.Pause(1004, 1005, megakernel.HeldEpoch); err != nil {
		t.Fatal(err)
	}
	for i := range s.Snapshot().NumSlots() {
		if got := taskState(s, uint32(i)); got.TaskID == sent.TaskID {
			if got != want {
				t.Errorf("the kernel wrote back\n%+v, want\n%+v", got, want)
			}
			return
		}
	}
	t.Error("the task is in no slot")
}
