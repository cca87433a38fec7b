package blackbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Limits of what a box keeps.
const (
	Span   = 10 * time.Second
	Bytes  = 16 << 20
	events = 4096
)

// Box keeps what the recorder of a run gets. It may be used from any goroutine. The zero value is not ready: use New.
type Box struct {
	header fixtures.Header
	span   time.Duration
	limit  int

	mu    sync.Mutex
	items []item
	first int                    // items before it are gone
	bytes int                    // of items from first on
	now   time.Duration          // of the newest item
	told  []megakernel.HostEvent // events of the whole run, at most events: the first and the newest
}

// item is something that happened: one of the members is set.
type item struct {
	at    time.Duration
	bytes int
	snap  *megakernel.Snapshot
	log   megakernel.LogBlocks
	tasks []tasks.Task
	order *megakernel.Command
}

// New makes a box for a run that is described by a header; it keeps the last span, and at most limit bytes.
func New(h fixtures.Header, span time.Duration, limit int) *Box {
	return &Box{header: h, span: span, limit: limit}
}

// Snapshot keeps a snapshot, which does not change afterwards.
func (b *Box) Snapshot(s *megakernel.Snapshot) {
	b.add(item{at: s.Taken, snap: s, bytes: 4 * (len(s.Control) + len(s.Slots) + len(s.WorkerTable))})
}

// LogBlocks keeps records of the debug log, which do not change afterwards.
func (b *Box) LogBlocks(blocks megakernel.LogBlocks) {
	n := 0
	for i := range blocks {
		n += 4 * len(blocks[i].Words)
	}
	b.add(item{at: -1, log: slices.Clone(blocks), bytes: n})
}

// Submitted keeps a copy of tasks that the host published.
func (b *Box) Submitted(at time.Duration, list []tasks.Task) {
	b.add(item{at: at, tasks: slices.Clone(list), bytes: len(list) * tasks.SlotBytes})
}

// Command keeps a command of the host.
func (b *Box) Command(at time.Duration, c megakernel.Command) {
	b.add(item{at: at, order: &c, bytes: commandBytes})
}

// commandBytes is what a command takes, about.
const commandBytes = 128

// Event keeps an event of the host. Of very many the first half is kept, and the newest ones.
func (b *Box) Event(e megakernel.HostEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.told = append(b.told, e); len(b.told) > events {
		b.told = slices.Delete(b.told, events/2, events/2+1)
	}
}

// add keeps an item and drops what is too old, or too much.
func (b *Box) add(x item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x.at < b.now {
		x.at = b.now // the log has no time of its own; others come in the order of their times, or nearly
	}
	b.now = x.at
	b.items, b.bytes = append(b.items, x), b.bytes+x.bytes
	for b.first < len(b.items)-1 && (b.bytes > b.limit || b.items[b.first].at < b.now-b.span) {
		b.bytes -= b.items[b.first].bytes
		b.items[b.first] = item{}
		b.first++
	}
	if b.first > len(b.items)/2 {
		b.items = slices.Delete(b.items, 0, b.first)
		b.first = 0
	}
}

// kept copies the lists of what is kept.
func (b *Box) kept() ([]item, []megakernel.HostEvent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.items[b.first:]), slices.Clone(b.told)
}

// Write writes what is kept as a recording, with an event that says why. The file is whole as soon as it has its name.
func (b *Box) Write(file, why string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	part := fmt.Sprintf("%s.%d.part", file, os.Getpid())
	w, err := fixtures.Create(part, b.header)
	if err != nil {
		return err
	}
	err = b.writeTo(w, why)
	if err = errors.Join(err, w.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part) // what failed is what counts
	}
	return err
}

// flushBytes is how much is handed to a writer before it is waited for: its queue drops what it has no room for.
const flushBytes = 8 << 20

func (b *Box) writeTo(w *fixtures.Writer, why string) error {
	list, told := b.kept()
	handed, last := 0, time.Duration(0)
	for i := range list {
		x := &list[i]
		for last = x.at; len(told) > 0 && told[0].At <= last; told = told[1:] {
			w.Event(told[0])
		}
		x.writeTo(w)
		if handed += x.bytes; handed >= flushBytes {
			if err := w.Flush(); err != nil {
				return err
			}
			handed = 0
		}
	}
	for _, e := range told {
		last = max(last, e.At)
		w.Event(e)
	}
	w.Event(megakernel.HostEvent{At: last, Kind: EventKept, Text: why})
	return w.Flush()
}

// EventKept is the kind of the event that says why a box was written.
const EventKept = "kept"

func (x *item) writeTo(w *fixtures.Writer) {
	switch {
	case x.snap != nil:
		w.Snapshot(x.snap)
	case x.log != nil:
		w.LogBlocks(x.log)
	case x.tasks != nil:
		w.Submitted(x.at, x.tasks)
	case x.order != nil:
		w.Command(x.at, *x.order)
	}
}
