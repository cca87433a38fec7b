package health

import (
	"vyretop/megakernel"
	"vyretop/tasks"
)

// tally is the tasks of a snapshot by what they wait for.
type tally struct {
	state    [tasks.NumStates]int
	depth    int
	runnable int // those that a worker may claim
	first    uint32
	byBreak  int
	breaks   uint32
	byHand   int
	order    int // those that only a command resumes, although none has paused them
	io       int
	output   int
	input    int
	epoch    int
	needs    uint32 // the nearest epoch
	masked   int
	quota    int
	tenants  [2]uint32 // masked ones, and those that wait for their quota
}

func count(s *megakernel.Snapshot) (c tally) {
	for i := range s.NumSlots() {
		w := s.Slot(i)
		state := tasks.State(w[tasks.WordState])
		if state >= tasks.NumStates {
			continue
		}
		c.state[state]++
		switch {
		case state == tasks.Empty || state.Terminal():
			continue
		case state == tasks.Paused:
			c.paused(s, w)
		case state.Schedulable():
			c.waiting(s, w)
		}
		if c.depth == 0 {
			c.first = w[tasks.WordTaskID]
		}
		c.depth++
	}
	return c
}

func (c *tally) paused(s *megakernel.Snapshot, w *[tasks.SlotWords]uint32) {
	t := tasks.FromWords(w)
	switch {
	case t.ResumeEpoch == megakernel.HeldEpoch && t.Flags&tasks.FlagHalted != 0:
		c.byBreak++
		if n := t.Breakpoint(); n >= 1 && n <= megakernel.MaxBreaks {
			c.breaks |= 1 << (n - 1)
		}
	case t.ResumeEpoch == megakernel.HeldEpoch && t.Reason() == tasks.ReasonCommand:
		c.byHand++
	case t.ResumeEpoch == megakernel.HeldEpoch:
		c.order++
	case t.Reason() == tasks.ReasonIO:
		c.io++
	case t.Reason() == tasks.ReasonOutput:
		c.output++
	case t.Reason() == tasks.ReasonInput:
		c.input++
	case Reached(s.Epoch(), t.ResumeEpoch):
		c.runnable++
	default:
		if c.epoch == 0 || int32(t.ResumeEpoch-c.needs) < 0 {
			c.needs = t.ResumeEpoch
		}
		c.epoch++
	}
}

func (c *tally) waiting(s *megakernel.Snapshot, w *[tasks.SlotWords]uint32) {
	tenant := w[tasks.WordTenant]
	switch {
	case Masks(s, tenant):
		c.masked++
		c.tenants[0] |= 1 << tenant
	case OverQuotaIn(s, tenant):
		c.quota++
		c.tenants[1] |= 1 << tenant
	default:
		c.runnable++
	}
}

// Masks reports whether the mask of a tenant keeps its tasks from running.
func Masks(s *megakernel.Snapshot, tenant uint32) bool {
	mask := megakernel.CtrlTenantMask0 + int(tenant)
	return tenant < megakernel.Tenants && mask < len(s.Control) && s.Control[mask] == 0
}

// OverQuotaIn reports whether a tenant waits for its next quota.
func OverQuotaIn(s *megakernel.Snapshot, tenant uint32) bool {
	return tenant < megakernel.Tenants && len(s.Control) > megakernel.CtrlQuotaWaits && s.Control[megakernel.CtrlQuotaWaits]>>tenant&1 != 0
}

// Reached reports whether an epoch, which wraps, has come.
func Reached(epoch, resume uint32) bool { return int32(epoch-resume) >= 0 }
