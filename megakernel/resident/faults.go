package resident

import (
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/megakernel"
)

// maxFaultEvents bounds the faults that become events of their own; the log and the counters have all of them.
const maxFaultEvents = 100

// notes is what went wrong in the kernel while it went on, and has become events.
type notes struct {
	*launch

	mu        lock[leafRank]
	told      int                // faults that have become events
	first     []string           // of them, at most firstFaults
	undefined []engine.Undefined // executed so far, one for each place
}

// firstFaults is how many faults FirstFaults tells.
const firstFaults = 3

// FirstFaults describes the first faults that NoteFaults has seen: task, code, line, handler, worker and lane.
func FirstFaults(s *Session) []string {
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	return slices.Clone(s.notes.first)
}

// NoteFaults makes an event of each fault among records of the debug log.
func (n *notes) NoteFaults(blocks megakernel.LogBlocks) {
	for _, e := range n.newFaults(blocks) {
		n.tell(e)
	}
}

func (n *notes) newFaults(blocks megakernel.LogBlocks) (events []megakernel.HostEvent) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range blocks {
		b := &blocks[i]
		for j := range b.Len() {
			if megakernel.KindOf(b.Format(j)) == megakernel.EventFault && n.told <= maxFaultEvents {
				r := b.At(j)
				events = append(events, n.noteFault(&r))
			}
		}
	}
	return events
}

// noteFault is the event of a fault. The caller holds mu.
func (n *notes) noteFault(r *megakernel.LogRecord) megakernel.HostEvent {
	n.told++
	if n.told > maxFaultEvents {
		return megakernel.HostEvent{Kind: megakernel.EventFaulted, Text: fmt.Sprintf("more than %d tasks faulted; the debug log has the others", maxFaultEvents)}
	}
	p := &megakernel.Place{Task: r.Task, Worker: int(r.Worker), Lane: int(r.Lane), Opcode: r.Opcode, Handler: n.handlerName(r.Opcode), Source: r.Source(n.formats())}
	text := faultText(r, p)
	if len(n.first) < firstFaults {
		n.first = append(n.first, text)
	}
	return megakernel.HostEvent{Kind: megakernel.EventFaulted, Text: text, Place: p}
}

// formats are the texts that records of the log refer to.
func (l *launch) formats() []string {
	k := l.text()
	return megakernel.WithFiles(k.Program.Formats, k.Program.Files)
}

// handlerName is the name of the handler of an opcode; "" where there is none.
func (l *launch) handlerName(opcode uint32) string {
	for _, h := range l.text().Config.Handlers {
		if h.Opcode == opcode {
			return h.Name
		}
	}
	return ""
}

// faultText says a fault in one line.
func faultText(r *megakernel.LogRecord, p *megakernel.Place) string {
	text := fmt.Sprintf("task %s: %s", megakernel.TaskName(r.Task), r.Text(nil))
	if p.Source != "" {
		text += ", " + p.Source
	}
	if p.Handler != "" {
		text += ", handler " + p.Handler
	}
	return text + fmt.Sprintf(", worker %d lane %d", p.Worker, p.Lane)
}
