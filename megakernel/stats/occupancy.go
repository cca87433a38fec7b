package stats

import (
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Share is what a time was spent on: parts of 1.
type Share struct {
	Busy    float64 `json:"busy"`    // Claim and Handler
	Claim   float64 `json:"claim"`   // finding tasks and putting them back
	Handler float64 `json:"handler"` // in handlers
	Idle    float64 `json:"idle"`    // looking for something to do, or importing without claiming anything
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

// Occupancy is the occupancy of a target between two snapshots.
type Occupancy struct {
	Over     time.Duration             `json:"over_ns"`   // between the snapshots
	Share    *Share                    `json:"share"`     // of all workers together; nil as with a Worker
	Fill     float64                   `json:"lane_fill"` // lanes filled by claims, of those that might have been; 0 without claims
	Workers  []Worker                  `json:"workers"`
	Units    []Unit                    `json:"units,omitempty"`
	Waits    [tasks.NumPriorities]Wait `json:"waits"`
	Estimate *Estimate                 `json:"estimate"` // nil where slots cannot be counted
}

// OccupancySample is what a report needs to know of a snapshot, for callers that have decoded its workers and counted its
// slots anyway.
type OccupancySample struct {
	Taken   time.Duration
	Lanes   int // that a worker may fill
	Workers []megakernel.Worker
	States  StateCounts // slots by state
	Waiting [tasks.NumPriorities]int
	Served  [tasks.NumPriorities]uint64
}

// OccupancySampleOf decodes and counts a snapshot.
func OccupancySampleOf(s *megakernel.Snapshot) *OccupancySample {
	m := &OccupancySample{Taken: s.Taken, Lanes: s.Lanes, Workers: s.WorkerRecords(), Waiting: waiting(s), Served: s.Served}
	states, _ := s.StateCounts()
	for i, n := range states {
		m.States[i] = uint32(n)
	}
	return m
}

// OccupancyBetween compares two snapshots of a target. Quantiles of waits need an Observer.
func OccupancyBetween(earlier, later *megakernel.Snapshot) *Occupancy {
	return OccupancySampleOf(later).Since(OccupancySampleOf(earlier))
}

// Since compares two samples of a target.
func (m *OccupancySample) Since(earlier *OccupancySample) *Occupancy {
	r := &Occupancy{Over: m.Taken - earlier.Taken, Estimate: m.estimate(), Waits: m.waits(earlier)}
	var sum spent
	var lanes, claims uint32
	units := unitTally{}
	shares := make([]Share, len(m.Workers))
	r.Workers = make([]Worker, len(m.Workers))
	for i := range m.Workers {
		now, before := &m.Workers[i], &megakernel.Worker{}
		if i < len(earlier.Workers) {
			before = &earlier.Workers[i]
		}
		s := spentBetween(before, now)
		if now.Claims == before.Claims && now.Activations == before.Activations { // it imported, at most
			s.idle = s.all - s.handlers
		}
		w := &r.Workers[i]
		w.ID, w.Share, w.Activations = now.ID, s.share(&shares[i]), now.Activations-before.Activations
		if n := now.Claims - before.Claims; n > 0 {
			w.Lanes = float64(now.LaneSum-before.LaneSum) / float64(n)
		}
		lanes, claims = lanes+now.LaneSum-before.LaneSum, claims+now.Claims-before.Claims
		sum.add(s)
		w.Unit = units.add(now.Unit, s)
	}
	r.Share, r.Units = sum.share(new(Share)), units.list()
	if claims > 0 && m.Lanes > 0 {
		r.Fill = float64(lanes) / (float64(claims) * float64(m.Lanes))
	}
	return r
}

// estimate is what the policy would be told; nil for more slots than it can count.
func (m *OccupancySample) estimate() *Estimate {
	c, err := Derive(&m.States, 0, nil, nil)
	if err != nil {
		return nil
	}
	return &Estimate{SlotsBps: c.OccupancyBps, FrontierBps: c.FrontierBps}
}
