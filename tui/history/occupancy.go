package history

import "vyretop/megakernel/occupancy"

// occupied is what the workers did in the newest window.
type occupied struct {
	known  bool
	from   occupancy.Moment // where the window under way began
	report *occupancy.Report
}

// begin starts a window, with workers of its own.
func (o *occupied) begin(m occupancy.Moment) {
	m.Workers = append(o.from.Workers[:0], m.Workers...)
	o.known, o.from = true, m
}

// Occupancy takes in the next moment and returns what the workers did in the newest whole RateWindow, or while
// there is none in the time since the first moment; nil at that. A moment that is older than the one before
// begins anew. The workers of m may change afterwards.
func (h *History) Occupancy(m occupancy.Moment) *occupancy.Report {
	o := &h.occupied
	switch {
	case !o.known || m.Taken < o.from.Taken:
		o.report = nil
		o.begin(m)
	case m.Taken-o.from.Taken >= RateWindow:
		o.report = m.Since(&o.from)
		o.begin(m)
	case o.report == nil && m.Taken > o.from.Taken:
		return m.Since(&o.from)
	}
	return o.report
}
