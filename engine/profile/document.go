package profile

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"vyretop/engine/units"
)

// DocumentSchema names the document of a profile.
const DocumentSchema = "vyretop.profile/1"

// Document is the JSON document of what a kernel executed.
type Document struct {
	Schema    string `json:"schema"` // DocumentSchema
	Kernel    string `json:"kernel"` // as it was named
	Width     int    `json:"lanes"`  // of a workgroup
	Total     Counts `json:"total"`
	Scheduler Counts `json:"scheduler"` // of a resident kernel, around its handlers
	Handlers  []Row  `json:"handlers"`  // main, for a shader
	Functions []Row  `json:"functions"`
	Lines     []Row  `json:"lines"`
	// Incomplete says why not everything was counted; "" if it was.
	Incomplete string `json:"incomplete,omitempty"`
}

// NewDocument makes the document.
func NewDocument(kernel string, p *Profile) Document {
	return Document{Schema: DocumentSchema, Kernel: kernel, Width: p.Width, Total: p.Total(), Scheduler: p.Kernel, Handlers: p.Handlers(), Functions: p.Functions(), Lines: p.Lines()}
}

// WriteText prints the handlers and the most costly lines, with their text.
func WriteText(w io.Writer, d Document, most int, text func(file string, line int) string) error {
	fmt.Fprintf(w, "%s on the reference interpreter: %s steps, %s active\n", d.Kernel, units.Count(d.Total.Steps), active(d.Total, d.Width))
	if d.Scheduler.Steps > 0 {
		fmt.Fprintf(w, "around its handlers and for the budget of their loops, the kernel took %s steps, which are not counted below\n", units.Count(d.Scheduler.Steps))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nsteps\tshare\tlanes\twords\t  handler")
	for _, h := range d.Handlers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t  %s\n", units.Count(h.Steps), share(h.Steps, d.Total.Steps), active(h.Counts, d.Width), units.Count(h.Words), h.Func)
	}
	fmt.Fprintln(t, "\nsteps\tshare\twith calls\tlanes\twords\t  line")
	for i, l := range d.Lines {
		if i == most {
			break
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t  %s:%d  %s\n", units.Count(l.Steps), share(l.Steps, d.Total.Steps), share(l.Cumulative, d.Total.Steps),
			active(l.Counts, d.Width), units.Count(l.Words), l.File, l.Line, strings.TrimSpace(text(l.File, l.Line)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(d.Lines) - most; n > 0 {
		fmt.Fprintf(w, "(%d more; --lines N lists them)\n", n)
	}
	if d.Incomplete != "" {
		fmt.Fprintf(w, "%s: %s\n", d.Kernel, d.Incomplete)
	}
	return nil
}

// WriteSource prints the lines of files from the first to the last one that executed anything, with what each took beside it.
func WriteSource(w io.Writer, d Document, text func(file string, line int) string) error {
	rows := map[string]map[int]Row{}
	first, last := map[string]int{}, map[string]int{}
	var files []string
	for _, l := range d.Lines {
		if rows[l.File] == nil {
			rows[l.File] = map[int]Row{}
			files = append(files, l.File)
			first[l.File] = l.Line
		}
		rows[l.File][l.Line] = l
		first[l.File], last[l.File] = min(first[l.File], l.Line), max(last[l.File], l.Line)
	}
	fmt.Fprintf(w, "%s on the reference interpreter: %s steps, %s active\n", d.Kernel, units.Count(d.Total.Steps), active(d.Total, d.Width))
	for _, file := range files {
		fmt.Fprintf(w, "\n%s\n%6s %8s  %5s\n", file, "steps", "lanes", "line")
		for line := first[file]; line <= last[file]; line++ {
			cost := strings.Repeat(" ", len("100 %  12.3/128"))
			if r, ok := rows[file][line]; ok && r.Steps > 0 {
				cost = fmt.Sprintf("%6s %8s", share(r.Steps, d.Total.Steps), active(r.Counts, d.Width))
			}
			if _, err := fmt.Fprintf(w, "%s  %5d  %s\n", cost, line, text(file, line)); err != nil {
				return err
			}
		}
	}
	if d.Incomplete != "" {
		fmt.Fprintf(w, "\n%s: %s\n", d.Kernel, d.Incomplete)
	}
	return nil
}

func share(part, whole uint64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// active says how many of the lanes of a workgroup take part on average.
func active(c Counts, width int) string { return fmt.Sprintf("%.1f/%d", c.Active(), width) }
