package recommend

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"vyretop/engine/units"
)

// WriteText prints an answer for people: the launch, and under it why.
func WriteText(w io.Writer, d *Document) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if r := d.recommendationJSON; r != nil {
		g := &r.Geometry
		fmt.Fprintf(t, "launch\t%s of %d lanes, over %d slots\n", units.Plural(int(g.Grid[0]), "workgroup"), g.WorkgroupSizeX, g.SlotCount)
		if d.Request.QueueLen == 0 {
			fmt.Fprintf(t, "\tfor an empty queue: --queue-len N, --recording or --live describes one\n")
		}
		if most := d.Request.MaxInvocations; g.WorkgroupSizeX > most {
			fmt.Fprintf(t, "\tthe device runs %d lanes a workgroup at most: the policy goes by max_workgroup_size_x alone. Fix: lower that to %d\n", most, most)
		}
		fmt.Fprintf(t, "workers\t%d worker groups\n", r.Groups)
		fmt.Fprintf(t, "topology\t%s\n", r.Topology)
		fmt.Fprintf(t, "pressure\t%s\n", r.Pressure)
		fmt.Fprintf(t, "execution\t%s\n", r.Mode)
		fmt.Fprintf(t, "promote\t%s\n", promoted(r))
		fmt.Fprintf(t, "aging\t%s\n", map[bool]string{true: "on", false: "off"}[r.AgePriorityWork])
		fmt.Fprintf(t, "hits\t%d\n", r.HitCapacity)
		fmt.Fprintf(t, "memory\t%s\n\n", memoryText(r))
	}
	fmt.Fprintf(t, "because\n")
	for _, r := range d.Reasons {
		fmt.Fprintf(t, "  %s = %s\t%s\n", r.Sets, r.To, r.Reason.Conditions[0])
		for _, c := range r.Reason.Conditions[1:] {
			fmt.Fprintf(t, "\t%s\n", c)
		}
	}
	return t.Flush()
}

func promoted(r *recommendationJSON) string {
	var out []string
	if r.PromoteHotOpcodes {
		out = append(out, "hot opcodes")
	}
	if r.PromoteHotWindows {
		out = append(out, "hot windows")
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

func memoryText(r *recommendationJSON) string {
	if r.BudgetBytes == 0 {
		return fmt.Sprintf("%d bytes at the peak, no budget", r.PeakBytes)
	}
	return fmt.Sprintf("%d bytes at the peak, of %d", r.PeakBytes, r.BudgetBytes)
}
