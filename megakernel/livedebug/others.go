package livedebug

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/units"
)

// others are the other clients of a run.
type others struct{ of *Run }

// HeldByOthers implements attach.Shared, by the newest snapshot.
func (o others) HeldByOthers() string {
	now := o.of.target.Snapshot()
	if now == nil {
		return ""
	}
	held := 0
	var ids []string
	for _, slot := range now.Stopped() {
		id := holder(now.Slot(slot))
		if _, own, sure := o.of.ownBreak(id); id == 0 || own || !sure {
			continue
		}
		held++
		if text := fmt.Sprint(id); !slices.Contains(ids, text) {
			ids = append(ids, text)
		}
	}
	if held == 0 {
		return ""
	}
	slices.Sort(ids)
	verb := "are"
	if held == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s %s held by breakpoint %s, which another client has set", units.Plural(held, "task"), verb, strings.Join(ids, ", "))
}
