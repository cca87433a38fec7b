package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Reason is a rule that fired for a recommendation.
type Reason struct {
	Rule       string      `json:"rule"` // stable: "topology.sparse"
	Sets       string      `json:"sets"` // what the rule decided: a member of the recommendation, or a derived input
	To         string      `json:"to"`
	Conditions []Condition `json:"conditions"`
}

// Condition is a comparison that made a rule fire.
type Condition struct {
	Input     string `json:"input"` // a member of the request, or a number derived from the members
	Value     uint64 `json:"value"`
	Holds     string `json:"holds"`     // "<=", "<", ">=", ">" or "=="
	Threshold string `json:"threshold"` // a member of the policy, or what the bound is made of
	Bound     uint64 `json:"bound"`
	// Margin is how far the input may move towards the bound, and still the comparison holds.
	Margin uint64 `json:"margin"`
}

// String writes the reason on one line.
func (r Reason) String() string {
	parts := make([]string, len(r.Conditions))
	for i, c := range r.Conditions {
		parts[i] = c.String()
	}
	return fmt.Sprintf("%s = %s: %s", r.Sets, r.To, strings.Join(parts, ", "))
}

// String writes the condition as "input value >= threshold bound (margin n)", or as "input value" where
// it only matters that the input is or is not 0.
func (c Condition) String() string { return string(c.Append(nil)) }

// Append appends what String returns.
func (c Condition) Append(dst []byte) []byte {
	dst = strconv.AppendUint(append(append(dst, c.Input...), ' '), c.Value, 10)
	if c.Threshold == "" && c.Bound == 0 {
		return dst
	}
	dst = append(append(append(dst, ' '), c.Holds...), ' ')
	if c.Threshold != "" {
		dst = append(append(dst, c.Threshold...), ' ')
	}
	dst = append(strconv.AppendUint(dst, c.Bound, 10), " (margin "...)
	return append(strconv.AppendUint(dst, c.Margin, 10), ')')
}

// subject is a number that conditions are about.
type subject struct {
	name  string
	value uint64
}

func (s subject) atLeast(threshold string, bound uint64) Condition {
	return Condition{s.name, s.value, ">=", threshold, bound, s.value - bound}
}

func (s subject) above(threshold string, bound uint64) Condition {
	return Condition{s.name, s.value, ">", threshold, bound, s.value - bound - 1}
}

func (s subject) atMost(threshold string, bound uint64) Condition {
	return Condition{s.name, s.value, "<=", threshold, bound, bound - s.value}
}

func (s subject) below(threshold string, bound uint64) Condition {
	return Condition{s.name, s.value, "<", threshold, bound, bound - s.value - 1}
}

func (s subject) is(threshold string) Condition {
	return Condition{s.name, s.value, "==", threshold, s.value, 0}
}
