package resident

import (
	"fmt"
	"slices"
	"sync"

	"vyretop/megakernel"
)

// maxFaultEvents bounds the faults that become events of their own; the log and the counters have all of them.
const maxFaultEvents = 100

// faultNotes counts the faults that have become events.
type faultNotes struct {
	mu    sync.Mutex
	told  int
	first []string // at most firstFaults
}

// firstFaults is how many faults FirstFaults tells.
const firstFaults = 3

// FirstFaults describes the first faults that NoteFaults has seen: task, code, line, handler, worker and lane.
func FirstFaults(s *Session) []string {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	return slices.Clone(s.faults.first)
}

// NoteFaults makes an event of each fault among records of the debug log.
func (s *Session) NoteFaults(blocks megakernel.LogBlocks) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	for i := range blocks {
		b := &blocks[i]
		for j := range b.Len() {
			if megakernel.KindOf(b.Format(j)) == megakernel.EventFault && s.faults.told <= maxFaultEvents {
				r := b.At(j)
				s.noteFault(&r)
			}
		}
	}
}

func (s *Session) noteFault(r *megakernel.LogRecord) {
	s.faults.told++
	if s.faults.told > maxFaultEvents {
		s.tell(megakernel.HostEvent{Kind: megakernel.EventFaulted, Text: fmt.Sprintf("more than %d tasks faulted; the debug log has the others", maxFaultEvents)})
		return
	}
	p := &megakernel.Place{Task: r.Task, Worker: int(r.Worker), Lane: int(r.Lane), Opcode: r.Opcode, Handler: s.handlerName(r.Opcode), Source: r.Source(s.formats())}
	text := faultText(r, p)
	if len(s.faults.first) < firstFaults {
		s.faults.first = append(s.faults.first, text)
	}
	s.tell(megakernel.HostEvent{Kind: megakernel.EventFaulted, Text: text, Place: p})
}

// formats are the texts that records of the log refer to.
func (l *launch) formats() []string {
	return megakernel.WithFiles(l.kernel.Program.Formats, l.kernel.Program.Files)
}

// handlerName is the name of the handler of an opcode; "" where there is none.
func (l *launch) handlerName(opcode uint32) string {
	for _, h := range l.kernel.Config.Handlers {
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
