// Package occupancy says what the workers of a target spend their time on, how many lanes they fill, and how
// long tasks wait: measured, from two snapshots. Beside it stands what the launch policy takes for occupancy.
//
// # What is measured
//
// Time is what workers count in slices, in ticks (megakernel.Target.Clock says of what): all of it, in
// handlers, and looking for something to do. What is left is claiming: finding and claiming tasks, putting
// them back, importing, serving the host. The time of a handler is that of the whole workgroup: a lane that
// is done waits for the others. Between slices nobody counts, so shares are of the time in slices.
//
// Lanes are those that claims have filled.
//
// # How long tasks wait
//
// The mean is exact for a queue in balance, by Little's law (J. Little, "A proof for the queuing formula
// L = λW", Operations Research 9, 1961): tasks that wait over tasks served per second. Quantiles are of the
// tasks that wait now, and of how long they have waited so far: an Observer sees that at its snapshots
// only, so a wait that begins and ends between two of them is not among them, and a quantile says "at
// most", by powers of two of the time between snapshots.
package occupancy

import (
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/telemetry"
	"vyretop/tasks"
)

// Share is what a time was spent on: parts of 1.
type Share struct {
	Busy    float64 `json:"busy"`    // Claim and Handler
	Claim   float64 `json:"claim"`   // finding tasks and putting them back
	Handler float64 `json:"handler"` // in handlers
	Idle    float64 `json:"idle"`    // looking for something to do
}

// Worker is what a worker did between two snapshots.
type Worker struct {
	ID          int     `json:"worker"`
	Unit        *int    `json:"unit,omitempty"` // of the device, where that is known
	Share       *Share  `json:"share"`          // nil where it spent no time in a slice, or times are not counted
	Activations uint32  `json:"activations"`
	Lanes       float64 `json:"lanes_per_claim"` // 0 where it claimed nothing
}

// Unit is what the workers on a unit of the device did; the units are of the newer snapshot.
type Unit struct {
	ID      int     `json:"unit"`
	Workers int     `json:"workers"`
	Busy    float64 `json:"busy"`
}

// Estimate is what the launch policy takes for occupancy: it knows slots and tasks, and not the workers.
type Estimate struct {
	SlotsBps    uint32 `json:"occupancy_proxy_bps"`  // slots that are not empty, in ten-thousandths
	FrontierBps uint32 `json:"frontier_density_bps"` // slots with work
}

// Report is the occupancy of a target between two snapshots.
type Report struct {
	Over     time.Duration             `json:"over_ns"`   // between the snapshots
	Share    *Share                    `json:"share"`     // of all workers together; nil as with a Worker
	Fill     float64                   `json:"lane_fill"` // lanes filled by claims, of those that might have been; 0 without claims
	Workers  []Worker                  `json:"workers"`
	Units    []Unit                    `json:"units,omitempty"`
	Waits    [tasks.NumPriorities]Wait `json:"waits"`
	Estimate *Estimate                 `json:"estimate"` // nil where the control words are unreadable
}

// Between compares two snapshots of a target. Quantiles of waits need an Observer.
func Between(earlier, later *megakernel.Snapshot) *Report {
	r := &Report{Over: later.Taken - earlier.Taken, Estimate: estimate(later)}
	was := earlier.WorkerRecords()
	var sum spent
	var lanes, claims uint32
	units := map[int]*spent{}
	count := map[int]int{}
	for i, now := range later.WorkerRecords() {
		var before megakernel.Worker
		if i < len(was) {
			before = was[i]
		}
		s := spentBetween(&before, &now)
		w := Worker{ID: now.ID, Share: s.share(), Activations: now.Activations - before.Activations}
		if n := now.Claims - before.Claims; n > 0 {
			w.Lanes = float64(now.LaneSum-before.LaneSum) / float64(n)
		}
		lanes, claims = lanes+now.LaneSum-before.LaneSum, claims+now.Claims-before.Claims
		sum.add(s)
		if now.Unit > 0 {
			unit := int(now.Unit) - 1
			w.Unit = &unit
			if units[unit] == nil {
				units[unit] = &spent{}
			}
			units[unit].add(s)
			count[unit]++
		}
		r.Workers = append(r.Workers, w)
	}
	r.Share, r.Units = sum.share(), unitsOf(units, count)
	if claims > 0 && later.Lanes > 0 {
		r.Fill = float64(lanes) / (float64(claims) * float64(later.Lanes))
	}
	r.Waits = means(earlier, later)
	return r
}

// estimate is what the policy would be told of a snapshot.
func estimate(s *megakernel.Snapshot) *Estimate {
	var reading telemetry.Reading
	if telemetry.NewDecoder(nil).Decode(&reading, s.Control, s.Slots) != nil {
		return nil
	}
	return &Estimate{SlotsBps: reading.Counters.OccupancyBps, FrontierBps: reading.Counters.FrontierBps}
}
