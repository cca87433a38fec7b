package taskcheck

import (
	"context"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/profile"
	"vyretop/engine/reference"
	"vyretop/megakernel/activations"
)

// Profiled is what a profiled run has come to.
type Profiled struct {
	Result  // without findings
	Profile *profile.Profile
	Sources []*source.File // of the handlers
}

// Profile runs a workload and counts what its handlers execute. Where ctx ends, the time is over, or the target fails, the result
// has what was counted so far; the error says why, but for the time.
func Profile(ctx context.Context, c Config) (Profiled, error) {
	w, err := c.Definition.New(c.Values)
	if err != nil {
		return Profiled{}, err
	}
	setup, err := w.Setup(ctx)
	if err != nil {
		return Profiled{}, err
	}
	p := profile.New(profile.Roles{
		Caller: activations.Caller,
		Inner:  func(file string) bool { return strings.HasPrefix(file, activations.OwnFiles) },
	})
	b, err := reference.Open(reference.Options{Seed: c.Seed, Resident: max(c.Workers, Workers), Watcher: p})
	if err != nil {
		return Profiled{}, err
	}
	result, err := c.work(ctx, prepared{w, setup}, b)
	if closed := b.Close(); err == nil {
		err = closed
	}
	return Profiled{Result: result, Profile: p.Profile(), Sources: setup.Sources}, err
}
