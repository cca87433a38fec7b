package report

import (
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/megakernel/tune"
)

// DoSchema names the document of a command that was carried out.
const DoSchema = "vyretop.do/1"

// Do is the JSON document of a command on a live run.
type Do struct {
	Schema  string          `json:"schema"` // DoSchema
	Target  string          `json:"target"`
	Command string          `json:"command"` // as it was given
	Verb    string          `json:"verb"`
	Result  string          `json:"result"`            // "applied", or why not
	Latency float64         `json:"latency_us"`        // from giving the command to seeing the answer
	Slot    *uint32         `json:"slot,omitempty"`    // of the task, or of the last one stepped
	Was     *uint32         `json:"was,omitempty"`     // of an edit: what the word held
	Changes []SettingChange `json:"changes,omitempty"` // of settings

	Breakpoint *int     `json:"breakpoint,omitempty"` // number of the one that was set
	Trial      *DoTrial `json:"trial,omitempty"`      // of apply

	StillPaused int `json:"still_paused,omitempty"` // of resume all: tasks that stay paused until a command names them
}

// SettingChange is a setting that was changed.
type SettingChange struct {
	Setting string `json:"setting"` // "workers", "tenant-quota.3"; "slice_us" for microseconds
	Value   int64  `json:"value"`
	Was     int64  `json:"was"`
}

// DoTrial is a shape that was tried.
type DoTrial struct {
	From     megakernel.Shape `json:"from"`
	To       megakernel.Shape `json:"to"`
	Kept     bool             `json:"kept"`
	Unit     string           `json:"unit,omitempty"`
	RateFrom float64          `json:"rate_from_per_s"` // medians
	RateTo   float64          `json:"rate_to_per_s"`
	Ratio    float64          `json:"ratio,omitzero"` // absent where the windows cannot tell
	Low      float64          `json:"ratio_low,omitzero"`
	High     float64          `json:"ratio_high,omitzero"`
	Expected float64          `json:"ratio_expected,omitzero"` // of a recommended shape
	Reason   string           `json:"reason,omitempty"`        // why it was recommended
	Others   []DoTried        `json:"others,omitempty"`        // shapes that were measured, too, and are slower
}

// DoTried is a shape that was measured in a trial.
type DoTried struct {
	Shape megakernel.Shape `json:"shape"`
	Ratio float64          `json:"ratio"` // of its rate over that of the shape before
}

func newDoTrial(t *tune.Trial) *DoTrial {
	if t == nil {
		return nil
	}
	out := &DoTrial{
		From: t.From, To: t.To, Kept: t.Kept, Unit: t.Unit, RateFrom: digits(t.RateFrom), RateTo: digits(t.RateTo),
		Ratio: digits(t.Ratio), Low: digits(t.Low), High: digits(t.High), Expected: digits(t.Expected), Reason: t.Why,
	}
	for _, x := range t.Others {
		out.Others = append(out.Others, DoTried{x.Shape, digits(x.Ratio)})
	}
	return out
}

// NewDo makes the document of a command.
func NewDo(target string, o *command.Order, r *command.Result) *Do {
	d := &Do{
		Schema: DoSchema, Target: target, Command: r.Order, Verb: o.Verb, Result: r.Answer,
		Latency: digits(float64(r.Took.Nanoseconds()) / 1e3), Was: r.Was, Trial: newDoTrial(r.Trial), StillPaused: r.Stay,
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
		case o.On == command.Task && o.Kind == command.Command || o.Kind == command.Edit && o.Edit.Word == "":
			d.Slot = &r.Ack.Slot
		}
	}
	return d
}
