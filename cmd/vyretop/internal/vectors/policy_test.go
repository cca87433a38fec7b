package vectors

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"vyretop/megakernel/policy"
)

// words are the little-endian words of a byte string; a rest is dropped.
func words(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

type policyIn struct {
	Policy   policy.Policy   `json:"policy"`
	Request  policy.Request  `json:"request"`
	Previous policy.Topology `json:"previous_topology"`
}

// float is a number as the vectors spell it.
type float float64

func (f *float) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"NaN"`:
		*f = float(math.NaN())
	case `"Inf"`:
		*f = float(math.Inf(1))
	case `"-Inf"`:
		*f = float(math.Inf(-1))
	default:
		return json.Unmarshal(b, (*float64)(f))
	}
	return nil
}

func floats(in []float) []float64 {
	out := make([]float64, len(in))
	for i, f := range in {
		out[i] = float64(f)
	}
	return out
}

type tuneIn struct {
	Multiplier  uint32   `json:"hit_capacity_multiplier"`
	Multipliers []uint32 `json:"candidate_multipliers"`
	Sizes       []uint32 `json:"candidate_sizes"`
	Current     uint32   `json:"current_size"`
	Costs       []float  `json:"costs"`
}

type drainOut struct {
	policy.Accounting
	policy.Drain
}

type eventsIn struct {
	Accounting policy.Accounting `json:"accounting"`
	Events     []struct {
		Kind string `json:"kind"`
		Age  uint32 `json:"age_ticks"`
	} `json:"events"`
}

var eventKinds = map[string]policy.EventKind{"requeue": policy.Requeue, "aged_promotion": policy.AgedPromotion}

var _ = register("policy", map[string]operation{
	"standard_policy":                  op(func(none) (any, error) { return policy.StandardPolicy(), nil }),
	"recommend":                        op(recommend),
	"recommend_with_previous_topology": op(recommend),
	"autotune_hit_capacity_multiplier": value(func(in tuneIn) uint32 {
		p := policy.Policy{HitCapacityMultiplier: in.Multiplier}
		return p.CheapestMultiplier(in.Multipliers, floats(in.Costs))
	}),
	"autotune_workgroup_size": value(func(in tuneIn) uint32 {
		return policy.CheapestWidth(in.Sizes, floats(in.Costs), in.Current)
	}),
	"drain_recommendation": op(func(a policy.Accounting) (any, error) {
		return drainOut{a, a.Drain()}, nil
	}),
	"try_record_events": op(func(in eventsIn) (any, error) {
		events := make([]policy.Event, len(in.Events))
		for i, e := range in.Events {
			events[i] = policy.Event{Kind: eventKinds[e.Kind], AgeTicks: e.Age}
		}
		err := in.Accounting.Record(events)
		return in.Accounting, err
	}),
})

func recommend(in policyIn) (any, error) { return in.Policy.Recommend(&in.Request, in.Previous) }
