package rerun

// Followed recommendations: the rows that BenchmarkFollowAdvice measures, one file for each device and workload, and the
// table in docs/internal/recommendations.md and the figures of package recommend, which docs/gen makes of them.

import "vyretop/megakernel"

//go:generate go run vyretop/docs/gen recommendations ../../../docs/tuning ../../../docs/internal/recommendations.md ../../../megakernel/recommend/fitted.go

// The goals: what following a recommendation once must reach of the best shape, and keep of the start.
const (
	LeastOfBest  = 0.90
	LeastOfStart = 0.97
)

// Followed is what was measured of one workload on one device.
type Followed struct {
	Device   string                 `json:"device"`   // as the table names it
	Renderer string                 `json:"renderer"` // and its driver
	Backend  string                 `json:"backend"`
	Workload string                 `json:"workload"`
	Flags    map[string]string      `json:"flags,omitempty"`
	Facts    megakernel.DeviceFacts `json:"facts"`
	Lanes    int                    `json:"lanes"` // of the kernel
	Unit     string                 `json:"unit"`
	WindowMS int64                  `json:"window_ms"` // shortest length of a window
	Rounds   int                    `json:"rounds"`    // of the grid: one window for each of its shapes
	Finals   int                    `json:"finals"`    // rounds of the best of the grid, the starts and the ends
	Seconds  float64                `json:"seconds"`   // that all of it took

	// Others are the processors that other processes kept busy in the meantime, of all: what they do is noise.
	Others     float64 `json:"others"`
	Processors int     `json:"processors"`

	Best megakernel.Shape `json:"best"` // of the finals
	Grid []FollowedPoint  `json:"grid"`
	Rows []FollowedRow    `json:"rows"`
}

// FollowedPoint is the median rate of a shape in the rounds of the grid.
type FollowedPoint struct {
	megakernel.Shape

	Rate float64 `json:"rate"` // in units per second
}

// FollowedRow is a start and what came of following the recommendation.
type FollowedRow struct {
	Start   megakernel.Shape `json:"start"`
	Advised megakernel.Shape `json:"advised,omitzero"` // zero: no recommendation
	Gain    float64          `json:"gain,omitempty"`   // expected
	Why     string           `json:"why"`
	Trial   string           `json:"trial,omitempty"` // what the trial said
	End     megakernel.Shape `json:"end"`             // in force after it
	OfStart Ratio            `json:"of_start"`        // rate of the end over that of the start
	OfBest  Ratio            `json:"of_best"`         // and over that of the best shape
}

// Ratio is the middle of the ratios of paired windows, with its 95 % interval.
type Ratio struct {
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Reaches reports whether a row reaches both goals.
func (r *FollowedRow) Reaches() bool {
	return r.OfStart.Ratio >= LeastOfStart && r.OfBest.Ratio >= LeastOfBest
}
