package resident_test

import (
	"fmt"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// written is a handler that writes a word of control in each of the ways that a text can; t.input_handle selects one.
const written = `void put(uint index, uint value) {
    control[index] = value;
}
void assign(out uint word, uint value) {
    word = value;
}
void work(inout Task t) {
    switch (t.input_handle) {
    case 0u: control[150u] = t.param; break;
    case 1u: control[150u + t.input_handle] = t.param; break;
    case 2u: control[152u] = control[152u] + t.param; break;
    case 3u: control[153u] += t.param; break;
    case 4u: control[154u]++; break;
    case 5u: put(155u, t.param); break;
    case 6u: assign(control[156u], t.param); break;
    case 7u: atomicAdd(control[157u], t.param); break;
    case 8u:
        if (t.continuation_pc == 0u) {
            control[158u] = t.param;
            task_requeue(t, t.priority, 1u, 9u);
            return;
        }
    }
    task_done(t);
}
void other(inout Task t) { work(t); }
`

// TestEachWriteOfAWatchedValueHits: whichever way a handler writes a word, the watch of that word hits once for each task that
// does, with tasks in all lanes at once and with one task at a time.
func TestEachWriteOfAWatchedValueHits(t *testing.T) {
	const ways = 9
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, assemble(t, b, written, 8, "work", "other"), resident.Options{Workers: 2})
		watches := map[int]int{} // by way
		for i := range ways {
			watches[i] = arm(t, s, breakpoint.Breakpoint{Action: breakpoint.Count, Place: &breakpoint.Place{Watch: fmt.Sprintf("control[%d]", 150+i)}}).ID
		}
		round := uint64(0)
		expect := func(how string) {
			t.Helper()
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			round++
			for way, id := range watches {
				if got := breakOf(t, s, id).Hits; got != round {
					t.Errorf("%s: way %d has %d hits, want %d", how, way, got, round)
				}
			}
		}
		publish(t, s, work(ways, func(i int, t *tasks.Task) { t.InputHandle, t.Param = uint32(i), 77 }))
		collect(t, s, ways)
		expect("all at once")
		for way := range ways {
			publish(t, s, work(1, func(_ int, t *tasks.Task) { t.InputHandle, t.Param = uint32(way), 78 }))
			collect(t, s, 1)
		}
		expect("one at a time")
	})
}
