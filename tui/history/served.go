package history

import (
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Served are activations per second, averaged over the last RateWindow.
type Served struct {
	Known      bool
	Tenants    [megakernel.Tenants]float64
	Priorities [tasks.NumPriorities]float64
}

// Served computes the averages that end at the newest sample.
func (h *History) Served() Served {
	var out Served
	if h.count < 2 {
		return out
	}
	now := h.at(0)
	then := h.at(h.index(now.Taken - RateWindow))
	span := (now.Taken - then.Taken).Seconds()
	if span <= 0 {
		return out
	}
	out.Known = true
	for t := range out.Tenants {
		out.Tenants[t] = float64(now.Tenants[t]-then.Tenants[t]) / span
	}
	for p := range out.Priorities {
		out.Priorities[p] = float64(now.Served[p]-then.Served[p]) / span
	}
	return out
}
