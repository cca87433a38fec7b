package report

import "vyretop/megakernel/capture"

// ComparedSchema names the document of an activation that ran on the interpreter and on the device.
const ComparedSchema = "vyretop.compared/1"

// Compared is the JSON document of such an activation.
type Compared struct {
	Schema   string `json:"schema"` // ComparedSchema
	Target   string `json:"target"`
	Renderer string `json:"renderer"`
	Task     uint32 `json:"task"`
	Handler  string `json:"handler"`
	capture.Comparison
}

// NewCompared makes the document.
func NewCompared(c *capture.Capture, r capture.Comparison) Compared {
	return Compared{Schema: ComparedSchema, Target: c.Source, Renderer: c.Target.Renderer, Task: c.Task, Handler: c.Handler, Comparison: r}
}
