package vectors

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/builtin"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// sparse lists words that are not zero, by index.
type sparse [][2]uint32

func (s sparse) words(n uint32) []uint32 {
	for _, w := range s {
		n = max(n, w[0]+1)
	}
	out := make([]uint32, (n+tasks.SlotWords-1)/tasks.SlotWords*tasks.SlotWords)
	for _, w := range s {
		out[w[0]] = w[1]
	}
	return out
}

// changes lists the words that differ.
func changes(before, after []uint32) sparse {
	out := sparse{}
	for i, w := range after {
		if before[i] != w {
			out = append(out, [2]uint32{uint32(i), w})
		}
	}
	return out
}

type laneIn struct {
	ControlWords uint32 `json:"control_words"`
	Control      sparse `json:"control"`
	Ring         sparse `json:"ring"`
	Slots        uint32 `json:"total_slots"`
	RingWords    uint32 `json:"ring_words"`

	// What is ours to decide: which lane takes what, and the layout of the log.
	Stride    uint32 `json:"worker_stride"`
	Lane      uint32 `json:"lane_id"`
	Width     uint32 `json:"workgroup_size_x"`
	Workgroup uint32 `json:"workgroup_id_x"`
	Local     uint32 `json:"local_id_x"`
	LogWords  uint32 `json:"debug_log_words"`
	Log       sparse `json:"debug_log"`
}

type laneOut struct {
	Control sparse `json:"control_changes"`
	Ring    sparse `json:"ring_changes"`
}

// laneChoice is what the peer decided: the slot that a lane took, as the first of the words that it
// changed, and the priority that it took it for.
type laneChoice struct {
	Priority uint32 `json:"claimed_priority"`
	Control  sparse `json:"control_changes"`
	Ring     sparse `json:"ring_changes"`
}

// lane makes an operation of what ours does with the slot that the peer's lane took.
func lane(f func(control []uint32, slot *[tasks.SlotWords]uint32, served tasks.Priority)) operation {
	return func(t *testing.T, v *vector) answer {
		var in laneIn
		decode(t, v.In, &in)
		var choice laneChoice
		if err := json.Unmarshal(v.Out, &choice); err != nil {
			t.Fatal(err)
		}
		control, ring := in.Control.words(in.ControlWords)[:in.ControlWords], in.Ring.words(max(in.RingWords, in.Slots*tasks.SlotWords))
		controlBefore, ringBefore := slices.Clone(control), slices.Clone(ring)
		if len(choice.Ring) > 0 {
			slot := choice.Ring[0][0] / tasks.SlotWords * tasks.SlotWords
			f(control, (*[tasks.SlotWords]uint32)(ring[slot:]), tasks.Priority(choice.Priority))
		}
		for _, w := range choice.Control {
			if w[0] == megakernel.CtrlStarvation { // when a priority starves is ours to decide
				control[w[0]] = w[1]
			}
		}
		return answer{out: laneOut{changes(controlBefore, control), changes(ringBefore, ring)}}
	}
}

// anyHandler stands for the handlers of the peer's users, which change no control words.
func anyHandler(uint32, []uint32) bool { return true }

var _ = register("kernel", map[string]operation{
	"priority_scan": lane(builtin.Account),
	"lane_iteration": lane(func(control []uint32, slot *[tasks.SlotWords]uint32, _ tasks.Priority) {
		m := builtin.Machine{Control: control, Handler: anyHandler}
		m.Run(slot)
	}),
})

// tookForeignSlot reports whether the peer's lane took a slot that ours faults: its tenant has no mask,
// or it is a packed slot that does not fit.
func tookForeignSlot(in, want any) bool {
	taken := want.(map[string]any)["ring_changes"].([]any)
	if len(taken) == 0 {
		return false
	}
	number := func(v any) uint32 {
		n, err := strconv.ParseUint(v.(string), 10, 32)
		if err != nil {
			panic(err)
		}
		return uint32(n)
	}
	base := number(taken[0].([]any)[0]) / tasks.SlotWords * tasks.SlotWords
	var slot [tasks.SlotWords]uint32
	for _, w := range in.(map[string]any)["ring"].([]any) {
		if at := number(w.([]any)[0]); at >= base && at < base+tasks.SlotWords {
			slot[at-base] = number(w.([]any)[1])
		}
	}
	_, err := peer.Unpack((*[tasks.ArgWords]uint32)(slot[tasks.WordArg0:]))
	return slot[tasks.WordTenant] >= megakernel.Tenants || slot[tasks.WordOpcode] == megakernel.OpcodePackedSlot && err != nil
}
