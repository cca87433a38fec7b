package recommend

import (
	"fmt"
	"io"
	"text/tabwriter"

	"vyretop/megakernel/policy"
)

// WhatIfSchema names the document of a comparison.
const WhatIfSchema = "vyretop.whatif/1"

// WhatIf is the document of a comparison of two requests: what differs between them, what that changes of
// the recommendation, and both answers in full.
type WhatIf struct {
	Schema  string              `json:"schema"` // WhatIfSchema
	Inputs  []policy.Difference `json:"inputs"`
	Effects []policy.Difference `json:"effects"` // empty where one of the two has no recommendation
	Gone    []reasonJSON        `json:"rules_gone"`
	New     []reasonJSON        `json:"rules_new"`
	Before  *Document           `json:"before"`
	After   *Document           `json:"after"`
}

// WhatIf answers the question as it is, and with another request in place of its own. The error says why the other
// one has no recommendation; the document says so, too.
func (q *Question) WhatIf(other *policy.Request) (*WhatIf, error) {
	compared, _, _ := q.Policy.WhatIf(&q.Request, other, q.Previous)
	d := &WhatIf{
		Schema: WhatIfSchema, Inputs: notNil(compared.Inputs), Effects: notNil(compared.Effects),
		Gone: reasonsOf(compared.Gone), New: reasonsOf(compared.New),
	}
	d.Before, _ = q.Answer()
	changed := *q
	changed.Request = *other
	var err error
	d.After, err = changed.Answer()
	return d, err
}

// notNil makes an empty list one that JSON writes as such.
func notNil(list []policy.Difference) []policy.Difference {
	if list == nil {
		return []policy.Difference{}
	}
	return list
}

// WriteWhatIf prints a comparison for people.
func WriteWhatIf(w io.Writer, d *WhatIf) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	writeDifferences(t, "if", d.Inputs)
	switch {
	case d.After.Error != nil:
		fmt.Fprintf(t, "\nthen\tno recommendation: %s\n", d.After.Error.Text)
	case d.Before.Error != nil:
		fmt.Fprintf(t, "\nthen\tthere is a recommendation, which there was not: %s\n", d.Before.Error.Text)
	case len(d.Effects) == 0:
		fmt.Fprintf(t, "\nthen\tnothing changes\n")
	default:
		fmt.Fprintln(t)
		writeDifferences(t, "then", d.Effects)
	}
	fmt.Fprintln(t)
	writeRules(t, "no longer", d.Gone)
	writeRules(t, "but", d.New)
	return t.Flush()
}

func writeDifferences(w io.Writer, head string, list []policy.Difference) {
	for i, x := range list {
		fmt.Fprintf(w, "%s\t%s\t%s -> %s\n", first(head, i), x.Name, x.From, x.To)
	}
}

func writeRules(w io.Writer, head string, list []reasonJSON) {
	for i, r := range list {
		fmt.Fprintf(w, "%s\t%s = %s\t%s\n", first(head, i), r.Sets, r.To, r.Reason.Conditions[0])
	}
}

// first is the head of a list on its first line.
func first(head string, i int) string {
	if i > 0 {
		return ""
	}
	return head
}
