package tui

// showFirst draws the first frame at once where the output is a terminal. The terminal library would turn to the other
// screen only when its clock ticks for the first time; it does so again then, and the frame is painted again.
func showFirst(m *model) {
	w, h, ok := m.surface.size()
	if !ok {
		return
	}
	m.width, m.height = w, h
	m.settle()
	m.View()
	m.surface.enter()
}
