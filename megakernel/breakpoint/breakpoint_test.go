package breakpoint

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/tasks"
)

var (
	opIs7    = Step{Field: tasks.WordOpcode, Accept: Equal, Value: 7}
	pcAbove3 = Step{Field: tasks.WordContinuationPC, Accept: Greater, Value: 3}
	onWorker = Step{Field: Worker, Accept: Less | Greater, Value: 2}
	inSlot   = Step{Field: Slot, Accept: Less | Equal, Value: 5}
)

func TestMatch(t *testing.T) {
	words := (&tasks.Task{Opcode: 7, ContinuationPC: 3}).Words()
	for _, tt := range []struct {
		name         string
		program      Program
		worker, slot uint32
		want         bool
	}{
		{"equal", Program{opIs7}, 0, 0, true},
		{"not greater", Program{pcAbove3}, 0, 0, false},
		{"not", Program{pcAbove3, {Kind: Not}}, 0, 0, true},
		{"both", Program{opIs7, pcAbove3, {Kind: And}}, 0, 0, false},
		{"one", Program{opIs7, pcAbove3, {Kind: Or}}, 0, 0, true},
		{"the other", Program{pcAbove3, opIs7, {Kind: Or}}, 0, 0, true},
		{"not both of three", Program{opIs7, opIs7, pcAbove3, {Kind: And}, {Kind: Or}, {Kind: Not}}, 0, 0, false},
		{"worker", Program{onWorker}, 2, 0, false},
		{"another worker", Program{onWorker}, 3, 0, true},
		{"slot", Program{inSlot}, 0, 5, true},
		{"slot above", Program{inSlot}, 0, 6, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.program.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := tt.program.Match(&words, At{tt.worker, tt.slot, 0}); got != tt.want {
				t.Errorf("it matches: %v", got)
			}
		})
	}
}

func TestBrokenProgramsAreRefused(t *testing.T) {
	for name, p := range map[string]Program{
		"nothing":          {},
		"two bits":         {opIs7, opIs7},
		"nothing to join":  {opIs7, {Kind: And}},
		"nothing to deny":  {{Kind: Not}},
		"an unknown step":  {{Kind: 9}},
		"an unknown field": {{Field: 31, Accept: Equal}},
		"too long":         slices.Concat(slices.Repeat(Program{opIs7}, 8), slices.Repeat(Program{{Kind: Or}}, 7)),
	} {
		if err := p.Validate(); !errors.Is(err, ErrCondition) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := Breakpoint{Program: Program{opIs7}, Action: numActions}
	if err := b.Validate(); !errors.Is(err, ErrCondition) {
		t.Errorf("an unknown action: %v", err)
	}
}

// TestProgramsFit: the longest programs of all breakpoints have room in the inbox, and steps keep their bits apart.
func TestProgramsFit(t *testing.T) {
	b := Breakpoint{Program: Program{{Field: Slot, Accept: Less | Equal | Greater, Value: 1 << 31}}, Every: 3, After: 4}
	got := b.Append(nil, megakernel.MaxBreaks-1, 77)
	end := megakernel.BreakEnd | (megakernel.BreakStop|megakernel.BreakLog)<<4 | 15<<8
	if diff := cmp.Diff([]uint32{7<<4 | 17<<8, 1 << 31, end, 77, 3, 4}, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	longest := Breakpoint{Program: slices.Repeat(Program{opIs7}, MaxSteps)}
	if n := len(longest.Append(nil, 0, 0)) * megakernel.MaxBreaks; n > megakernel.BreakWords {
		t.Errorf("%d words, there are %d", n, megakernel.BreakWords)
	}
}

func TestJSON(t *testing.T) {
	b := Status{ID: 3, Breakpoint: Breakpoint{Condition: "op=7", Program: Program{opIs7, {Kind: Not}}, Action: Log, Every: 2}, Hits: 4, Workers: []WorkerHits{{1, 4}}}
	text, err := json.Marshal(b)
	var back Status
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if diff := cmp.Diff(b, back); diff != "" || err != nil {
		t.Errorf("%v, (-sent +read):\n%s", err, diff)
	}
	if err := json.Unmarshal([]byte(`{"action":"fly"}`), &back); err == nil {
		t.Error("an unknown action is read")
	}
}

// sample has a task of opcode 7 in each slot, in the given states, and worker 3 on slot 1.
func sample(at time.Duration, yields uint32, states ...tasks.State) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, WorkerTable: make([]uint32, 4*megakernel.WorkerWords)}
	for i, state := range states {
		w := (&tasks.Task{State: state, Opcode: 7, TaskID: uint32(i + 1), YieldCount: yields}).Words()
		s.Slots = append(s.Slots, w[:]...)
	}
	for w := range 4 {
		record := s.WorkerTable[w*megakernel.WorkerWords:]
		record[megakernel.WkState], record[megakernel.WkSlot] = uint32(megakernel.WorkerIdle), megakernel.NoSlot
	}
	s.WorkerTable[3*megakernel.WorkerWords+megakernel.WkSlot] = 1
	return s
}

// TestTrial: an activation counts once, however many samples show it; tasks that wait for something else, or have
// ended, are not about to be activated.
func TestTrial(t *testing.T) {
	list := []*megakernel.Snapshot{
		sample(2*time.Second, 0, tasks.Paused, tasks.Paused, tasks.Done),
		sample(4*time.Second, 0, tasks.Ready, tasks.Running, tasks.Done, tasks.Faulted),
		sample(5*time.Second, 0, tasks.Ready, tasks.Running, tasks.Empty),
		sample(7*time.Second, 1, tasks.Yielded, tasks.Running, tasks.Requeued),
		sample(8*time.Second, 2, tasks.Paused, tasks.Done, tasks.Done),
	}
	for _, tt := range []struct {
		name string
		of   Breakpoint
		want string
	}{
		{"all", Breakpoint{Program: Program{opIs7}}, "would have hit at least 5 times, first at -4.0 s, by worker 3"},
		{"some act", Breakpoint{Program: Program{opIs7}, After: 1, Every: 2}, "would have hit at least 5 times (2 act), first at -4.0 s, by worker 3"},
		{"one", Breakpoint{Program: Program{{Field: tasks.WordTaskID, Accept: Equal, Value: 3}}}, "would have hit at least once, at -1.0 s"},
		{"by a worker", Breakpoint{Program: Program{{Field: Worker, Accept: Equal, Value: 3}}}, "would have hit at least 2 times, first at -4.0 s, by worker 3"},
		{"none", Breakpoint{Program: Program{pcAbove3}}, "would have hit nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := Trial{Breakpoint: tt.of}
			for _, s := range list {
				x.Add(s)
			}
			if x.String() != tt.want || x.Basis() != "in 5 samples of the last 6.0 s; what passes between two is not seen" {
				t.Errorf("%s %s", &x, x.Basis())
			}
		})
	}
	if x := (Trial{}); x.Basis() != "no sample to try it on" {
		t.Errorf("without samples: %s", x.Basis())
	}
	x := Trial{Breakpoint: Breakpoint{Program: Program{opIs7}}}
	x.Add(list[0])
	if x.Basis() != "in one sample only" {
		t.Errorf("of one sample: %s", x.Basis())
	}
}
