package recommend

import (
	"errors"

	"vyretop/engine"
	"vyretop/megakernel/policy"
)

// Schema names the document of a recommendation.
const Schema = "vyretop.recommend/1"

// Question is what is asked.
type Question struct {
	Request  policy.Request
	Policy   policy.Policy
	Previous policy.Topology
}

// Document is the answer in JSON: the members of the recommendation, or an error in their place, beside
// what was asked and the rules that fired.
type Document struct {
	Schema string `json:"schema"` // Schema
	*recommendationJSON
	Error    *Failure        `json:"error,omitempty"`
	Reasons  []reasonJSON    `json:"reasons"`
	Request  requestJSON     `json:"request"`
	Policy   policy.Policy   `json:"policy"`
	Previous policy.Topology `json:"previous_topology,omitempty"`
}

// recommendationJSON is a recommendation with its 64-bit members as JSON has them.
type recommendationJSON struct {
	policy.Recommendation
	PeakBytes   wide `json:"estimated_peak_device_bytes"`
	BudgetBytes wide `json:"device_memory_budget_bytes"`
}

// Failure says why there is no recommendation.
type Failure struct {
	Code      string           `json:"code"` // "DeviceOutOfMemory", or "Unknown" for a request that cannot be
	StableID  engine.ErrorCode `json:"stable_id"`
	Requested wide             `json:"requested,omitempty"` // bytes, of DeviceOutOfMemory
	Available wide             `json:"available,omitempty"`
	Text      string           `json:"text"`
}

type reasonJSON struct {
	policy.Reason
	Conditions []conditionJSON `json:"conditions"`
}

type conditionJSON struct {
	policy.Condition
	Value  wide `json:"value"`
	Bound  wide `json:"bound"`
	Margin wide `json:"margin"`
}

// Answer makes the document of a question. The error is why there is no recommendation; the document
// says so, too.
func (q *Question) Answer() (*Document, error) {
	rec, reasons, err := q.Policy.Explain(&q.Request, q.Previous)
	d := &Document{Schema: Schema, Reasons: reasonsOf(reasons), Request: requestOf(&q.Request), Policy: q.Policy, Previous: q.Previous}
	if err != nil {
		d.Error = failureOf(err)
		return d, err
	}
	d.recommendationJSON = &recommendationJSON{rec, wide(rec.PeakBytes), wide(rec.BudgetBytes)}
	return d, nil
}

func failureOf(err error) *Failure {
	f := &Failure{Code: "Unknown", StableID: engine.CodeUnknown, Text: err.Error()}
	var backend *engine.Error
	if errors.As(err, &backend) && backend.Code == engine.CodeDeviceOutOfMemory {
		f.Code, f.StableID = "DeviceOutOfMemory", backend.Code
		f.Requested, f.Available = wide(backend.Requested), wide(backend.Available)
	}
	return f
}

func reasonsOf(reasons []policy.Reason) []reasonJSON {
	out := make([]reasonJSON, len(reasons))
	for i, r := range reasons {
		out[i] = reasonJSON{Reason: r, Conditions: make([]conditionJSON, len(r.Conditions))}
		for k, c := range r.Conditions {
			out[i].Conditions[k] = conditionJSON{c, wide(c.Value), wide(c.Bound), wide(c.Margin)}
		}
	}
	return out
}
