package dispatch

import (
	"context"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/speculate"
	"vyretop/engine/submit"
)

// Pair is a prefilter and a confirmer in place of a kernel with a main; package speculate tells what they have.
type Pair struct {
	Name    string
	File    *source.File
	Options glsl.Options
}

// Speculation tells what became of the candidates of a Pair, over all dispatches.
type Speculation struct {
	Mode       engine.Speculation `json:"mode"`
	Dispatches uint64             `json:"-"`
	Speculated uint64             `json:"speculated_dispatches"` // of them, with prefilter and confirmer fused
	Committed  uint64             `json:"committed"`             // candidates that were confirmed and stored
	Refused    uint64             `json:"refused"`               // candidates that were not
	RolledBack uint64             `json:"rolled_back"`           // refused after speculation
}

// compile makes the pipeline of a program, or of the request's pair.
func (r *Request) compile(ctx context.Context, b engine.Backend, p *engine.Program) (engine.Pipeline, error) {
	if r.Pair == nil {
		return b.Compile(ctx, p)
	}
	return speculate.Compile(ctx, b, r.Pair.Name, r.Pair.File, r.Pair.Options)
}

// count adds what a dispatch of a pair tells when it has ended.
func (r *Result) count(ctx context.Context, s *submit.Submission, mode engine.Speculation) error {
	pending, ok := s.Pending().(*speculate.Pending)
	if !ok {
		return nil
	}
	c, err := pending.Counts(ctx)
	if err != nil {
		return err
	}
	if r.Speculation == nil {
		r.Speculation = &Speculation{Mode: mode}
	}
	total := r.Speculation
	total.Dispatches++
	if c.Speculated {
		total.Speculated++
	}
	total.Committed += uint64(c.Committed)
	total.Refused += uint64(c.Refused)
	total.RolledBack += uint64(c.RolledBack)
	return nil
}
