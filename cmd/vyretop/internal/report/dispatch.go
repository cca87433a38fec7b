package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"vyretop/cmd/vyretop/internal/dispatch"
	"vyretop/engine"
)

// DispatchSchema names the document of a dispatch.
const DispatchSchema = "vyretop.dispatch/1"

// Dispatch is the JSON document of a dispatch.
type Dispatch struct {
	Schema       string                   `json:"schema"` // DispatchSchema
	Kernel       string                   `json:"kernel"`
	Fingerprint  string                   `json:"fingerprint"`
	Backend      engine.Identity          `json:"backend"`
	Verifiable   bool                     `json:"verifiable"` // the reference backend can run it too
	Workgroup    [3]uint32                `json:"workgroup"`
	Grid         [3]uint32                `json:"grid"` // workgroups
	Runs         uint32                   `json:"runs"` // back to back
	WallMs       engine.Optional[float64] `json:"wall_ms,omitzero"`
	DeviceMs     engine.Optional[float64] `json:"device_ms,omitzero"`
	EnqueueMs    engine.Optional[float64] `json:"enqueue_ms,omitzero"`
	WaitMs       engine.Optional[float64] `json:"wait_ms,omitzero"`
	Outputs      []DispatchOutput         `json:"outputs"`
	ProgramCache *engine.ProgramCache     `json:"program_cache,omitempty"` // absent where the backend keeps no programs
}

// DispatchOutput is a buffer that became a file.
type DispatchOutput struct {
	Binding uint32 `json:"binding"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Bytes   uint64 `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// NewDispatch makes the document of a dispatch.
func NewDispatch(b engine.Backend, result *dispatch.Result) Dispatch {
	p, t := result.Program, result.Timing
	d := Dispatch{
		Schema: DispatchSchema, Kernel: p.Name, Fingerprint: p.Fingerprint(), Backend: b.Identity(), Verifiable: p.Tree != nil,
		Workgroup: result.Launch.Workgroup, Grid: result.Launch.Grid, Runs: result.Launch.Runs,
		WallMs: optionalMs(t.Wall), DeviceMs: optionalMs(t.Device), EnqueueMs: optionalMs(t.Enqueue), WaitMs: optionalMs(t.Wait),
		Outputs: []DispatchOutput{},
	}
	for _, o := range result.Outputs {
		d.Outputs = append(d.Outputs, DispatchOutput(o))
	}
	if c, ok := b.(engine.CacheReporter); ok {
		counters := c.ProgramCache()
		d.ProgramCache = &counters
	}
	return d
}

func optionalMs(d engine.Optional[time.Duration]) engine.Optional[float64] {
	v, ok := d.Get()
	if !ok {
		return engine.Optional[float64]{}
	}
	return engine.Known(milliseconds(v))
}

// WriteDispatch prints a dispatch for people.
func WriteDispatch(w io.Writer, d Dispatch) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\ton %s: %s\n", d.Kernel, d.Backend.Name, d.Backend.Renderer)
	fmt.Fprintf(t, "grid\t%s workgroups of %s\n", extent(d.Grid), extent(d.Workgroup))
	if d.Runs > 1 {
		fmt.Fprintf(t, "runs\t%d\n", d.Runs)
	}
	if ms, ok := d.WallMs.Get(); ok {
		fmt.Fprintf(t, "time\t%.3f ms\n", ms)
	}
	for _, o := range d.Outputs {
		fmt.Fprintf(t, "out %d\t%s: %d bytes of %s, sha256 %s\n", o.Binding, o.File, o.Bytes, o.Name, o.SHA256)
	}
	return t.Flush()
}

func extent(v [3]uint32) string { return fmt.Sprintf("%d x %d x %d", v[0], v[1], v[2]) }
