package dispatch

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"vyretop/engine"
	"vyretop/engine/units"
)

// DocumentSchema names the document of a dispatch.
const DocumentSchema = "vyretop.dispatch/1"

// Document is the JSON document of a dispatch.
type Document struct {
	Schema       string                   `json:"schema"` // DocumentSchema
	Kernel       string                   `json:"kernel"`
	Fingerprint  string                   `json:"fingerprint"`
	Backend      engine.Identity          `json:"backend"`
	Verifiable   bool                     `json:"verifiable"` // the reference backend can run it too
	Workgroup    [3]uint32                `json:"workgroup"`
	Grid         [3]uint32                `json:"grid"` // workgroups
	Runs         uint32                   `json:"runs"` // back to back
	Dispatches   int                      `json:"dispatches"`
	WallMs       engine.Optional[float64] `json:"wall_ms,omitzero"`  // of the fastest dispatch, as the times below
	QueueMs      engine.Optional[float64] `json:"queue_ms,omitzero"` // of all dispatches, where they were queued together
	DeviceMs     engine.Optional[float64] `json:"device_ms,omitzero"`
	EnqueueMs    engine.Optional[float64] `json:"enqueue_ms,omitzero"`
	WaitMs       engine.Optional[float64] `json:"wait_ms,omitzero"`
	Outputs      []Output                 `json:"outputs"`
	Images       []Saved                  `json:"images,omitempty"`        // that became files
	Speculation  *Speculation             `json:"speculation,omitempty"`   // of a prefilter and a confirmer
	Undefined    []engine.Undefined       `json:"undefined,omitempty"`     // executed although GLSL does not define it, where the backend notices
	ProgramCache *engine.ProgramCache     `json:"program_cache,omitempty"` // absent where the backend keeps no programs
}

// NewDocument makes the document of a dispatch.
func NewDocument(b engine.Backend, result *Result) Document {
	p, t := result.Program, fastest(result.Timings)
	d := Document{
		Schema: DocumentSchema, Kernel: p.Name, Fingerprint: p.Fingerprint(), Backend: b.Identity(), Verifiable: p.Tree != nil,
		Workgroup: result.Launch.Workgroup, Grid: result.Launch.Grid, Runs: result.Launch.Runs, Dispatches: len(result.Timings),
		WallMs: optionalMs(t.Wall), DeviceMs: optionalMs(t.Device), EnqueueMs: optionalMs(t.Enqueue), WaitMs: optionalMs(t.Wait),
		Outputs: append([]Output{}, result.Outputs...), Images: result.Images, Speculation: result.Speculation, Undefined: result.Undefined,
	}
	if result.Queue > 0 {
		d.QueueMs = engine.Known(units.Milliseconds(result.Queue))
	}
	if c, ok := b.(engine.CacheReporter); ok {
		counters := c.ProgramCache()
		d.ProgramCache = &counters
	}
	return d
}

// fastest is the timing of the dispatch that took the least time.
func fastest(list []engine.Timing) engine.Timing {
	return slices.MinFunc(list, func(a, b engine.Timing) int { return cmp.Compare(a.Wall.Or(0), b.Wall.Or(0)) })
}

func optionalMs(d engine.Optional[time.Duration]) engine.Optional[float64] {
	v, ok := d.Get()
	if !ok {
		return engine.Optional[float64]{}
	}
	return engine.Known(units.Milliseconds(v))
}

// WriteText prints a dispatch for people.
func WriteText(w io.Writer, d Document) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\ton %s: %s\n", d.Kernel, d.Backend.Name, d.Backend.Renderer)
	fmt.Fprintf(t, "grid\t%s workgroups of %s\n", extent(d.Grid), extent(d.Workgroup))
	if d.Runs > 1 {
		fmt.Fprintf(t, "runs\t%d\n", d.Runs)
	}
	queue, queued := d.QueueMs.Get()
	if ms, ok := d.WallMs.Get(); ok && !queued {
		fmt.Fprintf(t, "time\t%.3f ms\n", ms)
	}
	if queued {
		fmt.Fprintf(t, "dispatches\t%d queued together, %.3f ms for all, equal outputs\n", d.Dispatches, queue)
	} else if d.Dispatches > 1 {
		fmt.Fprintf(t, "dispatches\t%d, the time is that of the fastest\n", d.Dispatches)
	}
	if s := d.Speculation; s != nil {
		fmt.Fprintf(t, "speculation\t%s: %d committed, %d refused, %d of them rolled back; %d of %d dispatches fused\n", s.Mode, s.Committed, s.Refused, s.RolledBack, s.Speculated, d.Dispatches)
	}
	for _, o := range d.Outputs {
		fmt.Fprintf(t, "out %d\t%s: %d bytes of %s, sha256 %s\n", o.Binding, o.File, o.Bytes, o.Name, o.SHA256)
	}
	for _, i := range d.Images {
		fmt.Fprintf(t, "save %s\t%s: %s texels\n", i.Name, i.File, extent(i.Size))
	}
	return t.Flush()
}

func extent(v [3]uint32) string { return fmt.Sprintf("%d x %d x %d", v[0], v[1], v[2]) }
