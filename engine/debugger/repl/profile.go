package repl

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"vyretop/engine/debugger"
	"vyretop/engine/profile"
	"vyretop/engine/units"
)

// mostProfiled is how many lines profile lists unless another number is given.
const mostProfiled = 10

// profile prints what the lines have executed so far, those with the most steps first.
func (r *REPL) profile(arg string) error {
	most := mostProfiled
	if arg != "" {
		n, err := number("profile", arg)
		if err != nil {
			return err
		}
		most = n
	}
	p, err := debugger.Activity(r.Session)
	if err != nil {
		return err
	}
	total, lines := p.Total(), p.Lines()
	r.print("profile", fmt.Sprintf("%s steps so far, by %.1f of %d lanes on average", units.Count(total.Steps), total.Active(), p.Width),
		map[string]any{"steps": total.Steps, "lanes": total.Lanes, "of": p.Width})
	for i := range min(most, len(lines)) {
		r.profiled(&lines[i], total.Steps, p.Width)
	}
	if left := len(lines) - most; left > 0 {
		r.print("more", fmt.Sprintf("... %d more of %d; profile %d lists them", left, len(lines), len(lines)), nil)
	}
	return nil
}

func (r *REPL) profiled(l *profile.Row, total uint64, width int) {
	share := 100 * float64(l.Steps) / float64(max(total, 1))
	text := fmt.Sprintf("%8s  %5.1f %%  %4.1f/%d  %s:%d  %s", units.Count(l.Steps), share, l.Active(), width, l.File, l.Line, strings.TrimSpace(ansi.Strip(r.Line(l.File, l.Line))))
	r.print("line", text, map[string]any{"file": l.File, "line": l.Line, "steps": l.Steps, "lanes": l.Lanes, "words": l.Words})
}
