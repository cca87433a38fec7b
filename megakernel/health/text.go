package health

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// String says the verdict in a line.
func (h Health) String() string {
	what := h.what()
	if h.Stalled {
		if h.Window > 0 {
			return fmt.Sprintf("stalled: %s; nothing changed within %v", what, h.Window.Round(time.Millisecond))
		}
		return "stalled: " + what
	}
	return what
}

func (h *Health) what() string {
	switch h.Kind {
	case Working:
		return h.working()
	case Unknown:
		return fmt.Sprintf("%s; one snapshot does not tell whether they progress", units.Plural(h.Depth, "task"))
	case Finished:
		return "finished: every task has ended"
	case Idle:
		if h.Compiling != (megakernel.Compiling{}) {
			return fmt.Sprintf("idle: no task waits or runs yet; a kernel is being compiled, %v so far", h.Compiling.Elapsed.Round(100*time.Millisecond))
		}
		return "idle: no task waits or runs"
	case Stopped:
		return fmt.Sprintf("stopped: %s left", units.Plural(h.Depth+int(h.Queued), "task"))
	case Lost:
		return "lost: the device was lost"
	case AtBreak:
		return fmt.Sprintf("held by %s: %s", breakpoints(h.Breaks), units.Plural(h.Tasks, "task"))
	case Held:
		return fmt.Sprintf("held: a command has paused %s", units.Plural(h.Tasks, "task"))
	case AllPaused:
		return fmt.Sprintf("paused: all workers; %s left", units.Plural(h.Tasks, "task"))
	case RingFull:
		return h.ringFull()
	case AwaitsIO:
		return fmt.Sprintf("IO unanswered: %s for the host to answer a read", wait(h.Tasks))
	case OutFull:
		return fmt.Sprintf("output buffer full: %s for the host to drain it", wait(h.Tasks))
	case InHandler:
		return fmt.Sprintf("worker %d is inside one activation of task %s", h.Worker, megakernel.TaskName(h.Task))
	case Spins:
		return fmt.Sprintf("spinning: %d activations changed no word of %s", h.Activations, units.Plural(h.Tasks, "task"))
	case OverQuota:
		return fmt.Sprintf("quota: %s for the next quota of %s", wait(h.Tasks), tenants(h.Tenants))
	case Masked:
		return fmt.Sprintf("tenant masked: %s for %s to be allowed", wait(h.Tasks), tenants(h.Tenants))
	case NoInput:
		return fmt.Sprintf("no input: %s for the host to provide data", wait(h.Tasks))
	case AwaitsEpoch:
		return fmt.Sprintf("%s for epoch %d, and the epoch is %d", wait(h.Tasks), h.Needs, h.Epoch)
	case AwaitsOrder:
		return fmt.Sprintf("%s for a command to resume it", wait(h.Tasks))
	}
	return fmt.Sprintf("%s that no worker claims", units.Plural(h.Tasks, "task"))
}

func (h *Health) working() string {
	text := fmt.Sprintf("working: %s, %d ended within %v", units.Plural(h.Depth, "task"), h.Done, h.Window.Round(time.Millisecond))
	if p := h.Progress; p.Total > 0 {
		text += fmt.Sprintf("; %d of %d %s done", p.Done, p.Total, p.Unit)
	}
	if h.Starve > 0 {
		text += fmt.Sprintf("; %s for a turn while other priorities are served", wait(h.Starve))
	}
	return text
}

func (h *Health) ringFull() string {
	text := fmt.Sprintf("ring full: %s for a slot", wait(h.Tasks))
	if h.Faulted > 0 {
		text += fmt.Sprintf(", faulted tasks hold %d", h.Faulted)
	}
	return text
}

// wait says how many tasks wait.
func wait(n int) string {
	if n == 1 {
		return "1 task waits"
	}
	return fmt.Sprintf("%d tasks wait", n)
}

func breakpoints(set uint32) string {
	if set == 0 {
		return "a breakpoint"
	}
	return numbered("breakpoint", set, 1)
}

func tenants(set uint32) string { return numbered("tenant", set, 0) }

// numbered names the members of a set: "tenants 3, 5".
func numbered(what string, set uint32, base int) string {
	if bits.OnesCount32(set) > 1 {
		what += "s"
	}
	sep := " "
	var b strings.Builder
	b.WriteString(what)
	for ; set != 0; set &= set - 1 {
		fmt.Fprintf(&b, "%s%d", sep, bits.TrailingZeros32(set)+base)
		sep = ", "
	}
	return b.String()
}
