package tui

import (
	"time"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// host is the dashboard as its panes see it.
type host struct{ m *model }

// Frame implements pane.Shell.
func (h host) Frame() *pane.Frame { return h.m.frame() }

// Latest implements pane.Shell.
func (h host) Latest() *pane.Frame { return h.m.latest }

// Place implements pane.Shell.
func (h host) Place() cells.Rect { return h.m.layout().Main }

// Show implements pane.Shell.
func (h host) Show(v keymap.View) pane.Pane {
	h.m.showTab(v)
	return h.m.shown()
}

// Open implements pane.Shell.
func (h host) Open(v keymap.View, key uint64) {
	h.Show(v).Table().Select(key)
	h.m.expanded = true
}

// Asking implements pane.Shell. Typing a line does not count.
func (h host) Asking() bool {
	_, typing := h.m.modal.(*input)
	return h.m.modal != nil && !typing
}

// Pending implements pane.Shell.
func (h host) Pending(tasks bool) map[uint64]pane.Pending {
	if tasks {
		return h.m.control.requests.pendingTasks(h.m.now())
	}
	return h.m.control.requests.pendingWorkers(h.m.now())
}

// ChipBar implements pane.Shell.
func (h host) ChipBar() (key string, chosen int) {
	chosen = -1
	if x, ok := h.m.modal.(*chipBar); ok {
		chosen = x.chip
	}
	return firstKey(h.m.chrome.keys.ByID(keymap.Chips)), chosen
}

// shownTime is the position as the panes see it.
type shownTime struct{ ps *position }

// At implements pane.Position.
func (s shownTime) At() time.Duration { return s.ps.span().At }

// Present implements pane.Position.
func (s shownTime) Present() bool { return s.ps.frozen == nil }

// Past implements pane.Position.
func (s shownTime) Past() bool { return s.ps.scrub.looking }

// Seek implements pane.Position.
func (s shownTime) Seek(to time.Duration) { s.ps.seekTime(to) }

// Marks implements pane.Position.
func (s shownTime) Marks() []time.Duration { return s.ps.marks }

// Sample implements pane.Position.
func (s shownTime) Sample(at time.Duration) (found *megakernel.Snapshot) {
	switch a := s.ps.can.archive; {
	case a != nil:
		return a.SampleAt(at)
	case s.ps.transport == nil:
		kept := &s.ps.scrub.snapshots
		n := kept.At(at)
		kept.Replay(n, n, func(snap *megakernel.Snapshot) { found = snap })
	}
	return found
}

// Base implements pane.Position.
func (s shownTime) Base() *pane.Frame {
	if under := s.ps.shell.files.under; under != nil {
		return under.frame()
	}
	return nil
}
