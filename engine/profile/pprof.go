package profile

import (
	"io"

	"github.com/google/pprof/profile"
)

// WritePprof writes a profile for go tool pprof and what else reads its format (profile.proto, gzip-compressed). Sample types
// are steps, lane steps (the active lanes over all steps) and words; the default is steps.
func (p *Profile) WritePprof(w io.Writer) error {
	count := func(name string) *profile.ValueType { return &profile.ValueType{Type: name, Unit: "count"} }
	whole := &profile.Mapping{ID: 1, File: "reference interpreter", HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}
	b := &builder{functions: map[Frame]*profile.Function{}, locations: map[Frame]*profile.Location{}, out: &profile.Profile{
		SampleType: []*profile.ValueType{count("steps"), count("lane_steps"), count("words")}, DefaultSampleType: "steps",
		Mapping: []*profile.Mapping{whole}, PeriodType: count("steps"), Period: 1,
	}}
	for i := range p.Samples {
		s := &p.Samples[i]
		sample := &profile.Sample{Value: []int64{int64(s.Steps), int64(s.Lanes), int64(s.Words)}}
		for _, f := range s.Stack {
			sample.Location = append(sample.Location, b.location(f))
		}
		b.out.Sample = append(b.out.Sample, sample)
	}
	return b.out.Write(w)
}

// builder gives each function and location one number.
type builder struct {
	out       *profile.Profile
	functions map[Frame]*profile.Function
	locations map[Frame]*profile.Location
}

func (b *builder) location(f Frame) *profile.Location {
	l := b.locations[f]
	if l == nil {
		l = &profile.Location{ID: uint64(len(b.out.Location) + 1), Mapping: b.out.Mapping[0], Line: []profile.Line{{Function: b.function(f), Line: int64(f.Line)}}}
		b.locations[f] = l
		b.out.Location = append(b.out.Location, l)
	}
	return l
}

func (b *builder) function(f Frame) *profile.Function {
	f.Line = 0
	fn := b.functions[f]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(b.out.Function) + 1), Name: f.Func, SystemName: f.Func, Filename: f.File}
		b.functions[f] = fn
		b.out.Function = append(b.out.Function, fn)
	}
	return fn
}
