package policy

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"vyretop/engine/fault"
)

// invalidPolicy says what is wrong with the text of a policy, and in which line: 0 where the whole text is.
func invalidPolicy(line int, detail string, cause error) error {
	if line > 0 {
		detail = fmt.Sprintf("line %d: %s", line, detail)
	}
	return &fault.Error{Kind: ErrInput, Subject: "policy", Detail: detail, Cause: cause, Fix: "write NAME = NUMBER lines with the names of the standard policy"}
}

// ParsePolicy reads a policy from TOML: NAME = NUMBER with the names that Policy has in JSON. A name
// that is left out keeps its standard number. The errors are ErrInput and those of Validate.
func ParsePolicy(text []byte) (Policy, error) {
	p := StandardPolicy()
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&p)
	if err == nil {
		return p, p.Validate()
	}
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		line, _ := strict.Errors[0].Position()
		return Policy{}, invalidPolicy(line, fmt.Sprintf("unknown name %q", strict.Errors[0].Key()[0]), nil)
	}
	line := 0
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ = at.Position()
	}
	if name, value := misfit(text); name != "" { // the decoder would speak of Go's types
		return Policy{}, invalidPolicy(line, fmt.Sprintf("%s = %v does not fit, it takes a whole number from 0 on", name, value), nil)
	}
	return Policy{}, invalidPolicy(line, "no policy", err)
}

// misfit is the first member, by name, whose value no policy can have; none where the text is not TOML.
func misfit(text []byte) (name string, value any) {
	var all map[string]any
	if toml.Unmarshal(text, &all) != nil {
		return "", nil
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		one, err := toml.Marshal(map[string]any{name: all[name]})
		if err == nil && toml.Unmarshal(one, new(Policy)) != nil {
			return name, all[name]
		}
	}
	return "", nil
}

// Validate refuses numbers that contradict each other or that nothing can reach. Recommend does not
// need a valid policy; people do.
func (p *Policy) Validate() error {
	rates := []struct {
		field string
		bps   uint16
	}{
		{"sparse_frontier_threshold_bps", p.SparseBps}, {"dense_frontier_threshold_bps", p.DenseBps}, {"memory_pressure_threshold_bps", p.MemoryBps},
	}
	for _, r := range rates {
		if r.bps > fullBps {
			return &fault.Error{Kind: ErrInput, Detail: r.field + fmt.Sprintf(" is %d, beyond all of it", r.bps), Fix: "use at most 10000 basis points"}
		}
	}
	if p.SparseBps >= p.DenseBps {
		return &fault.Error{Kind: ErrInput, Detail: fmt.Sprintf("sparse_frontier_threshold_bps %d is not below dense_frontier_threshold_bps %d", p.SparseBps, p.DenseBps), Fix: "lower it, or raise the other"}
	}
	return nil
}
