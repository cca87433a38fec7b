package history

import "vyretop/megakernel/stats"

// occupied is what the workers did in the newest window.
type occupied struct {
	known  bool
	from   stats.OccupancySample // where the current window began
	report *stats.Occupancy
}

// begin starts a window, with workers of its own.
func (o *occupied) begin(m stats.OccupancySample) {
	m.Workers = append(o.from.Workers[:0], m.Workers...)
	o.known, o.from = true, m
}

// Occupancy takes in the next snapshot and returns what the workers did in the newest whole RateWindow, or while
// there is none in the time since the first snapshot; nil at that. A snapshot that is older than the one before
// begins again. The workers of m may change afterwards.
func (h *History) Occupancy(m stats.OccupancySample) *stats.Occupancy {
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
