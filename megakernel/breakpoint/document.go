package breakpoint

import "vyretop/engine/units"

// TrialSchema names the document of a breakpoint that was tried on samples.
const TrialSchema = "vyretop.breakpoint-trial/1"

// Document is the JSON document of a breakpoint that was tried on samples. Times are since launch.
type Document struct {
	Schema    string  `json:"schema"` // TrialSchema
	Condition string  `json:"condition"`
	Action    string  `json:"action"`
	Samples   int     `json:"samples"`
	FromMs    float64 `json:"from_ms"`
	ToMs      float64 `json:"to_ms"`
	Hits      uint64  `json:"hits_at_least"`
	Acts      uint64  `json:"acts_at_least"`
	FirstMs   float64 `json:"first_ms,omitempty"`
	LastMs    float64 `json:"last_ms,omitempty"`
	Workers   []int   `json:"workers"` // seen running what was hit
}

// NewDocument makes the document of a trial.
func NewDocument(t *Trial) *Document {
	return &Document{
		Schema: TrialSchema, Condition: t.Breakpoint.Condition, Action: t.Breakpoint.Action.String(),
		Samples: t.Samples, FromMs: units.Milliseconds(t.From), ToMs: units.Milliseconds(t.To), Hits: t.Hits, Acts: t.Acts(),
		FirstMs: units.Milliseconds(t.First), LastMs: units.Milliseconds(t.Last), Workers: append([]int{}, t.Workers...),
	}
}
