package command

import (
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
)

// DocumentSchema names the document of a command that was carried out.
const DocumentSchema = "vyretop.do/1"

// Document is the JSON document of a command on a live run.
type Document struct {
	Schema  string          `json:"schema"` // DocumentSchema
	Target  string          `json:"target"`
	Command string          `json:"command"` // as it was given
	Verb    string          `json:"verb"`
	Result  string          `json:"result"`            // "applied", or why not
	Latency float64         `json:"latency_us"`        // from giving the command to seeing the answer
	Slot    *uint32         `json:"slot,omitempty"`    // of the task, or of the last one stepped
	Was     *uint32         `json:"was,omitempty"`     // of an edit: what the word held
	Changes []SettingChange `json:"changes,omitempty"` // of settings

	Breakpoint *int        `json:"breakpoint,omitempty"` // number of the one that was set
	Trial      *tune.Trial `json:"trial,omitempty"`      // of apply

	StillPaused int `json:"still_paused,omitempty"` // of resume all: tasks that stay paused until a command names them
}

// SettingChange is a setting that was changed.
type SettingChange struct {
	Setting string `json:"setting"` // "workers", "tenant-quota.3"; "slice_us" for microseconds
	Value   int64  `json:"value"`
	Was     int64  `json:"was"`
}

// NewDocument makes the document of a command.
func NewDocument(target string, o *Order, r *Result) *Document {
	d := &Document{
		Schema: DocumentSchema, Target: target, Command: r.Order, Verb: o.Verb, Result: r.Answer,
		Latency: units.Digits(float64(r.Took.Nanoseconds()) / 1e3), Was: r.Was, Trial: r.Trial, StillPaused: r.Stay,
	}
	if r.Break != nil {
		d.Breakpoint = &r.Break.ID
	}
	for _, c := range r.Changes {
		s := SettingChange{Setting: c.Name(), Value: c.Value, Was: c.Old}
		if c.ID == megakernel.SliceSetting {
			s.Setting += "_us"
		}
		d.Changes = append(d.Changes, s)
	}
	if r.Ack != nil && r.Ack.Result == megakernel.AckApplied {
		switch {
		case o.Command.Op == megakernel.OpStepWorker && r.Ack.Detail > 0:
			last := r.Ack.Detail - 1
			d.Slot = &last
		case o.On == Task && o.Kind == Command || o.Kind == Edit && o.Edit.Word == "":
			d.Slot = &r.Ack.Slot
		}
	}
	return d
}
