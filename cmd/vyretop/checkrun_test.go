package main

import (
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// TestInterpretedRunsHaveALimit: check --run and profile ran a kernel without end forever.
func TestInterpretedRunsHaveALimit(t *testing.T) {
	for name, c := range map[string]*cobra.Command{"check": newCheck(&app{}, nil), "profile": newProfile(&app{}, nil)} {
		f := c.Flags().Lookup("for")
		if most, err := time.ParseDuration(f.DefValue); err != nil || most <= 0 || most > 10*time.Minute {
			t.Errorf("%s runs for %s by default, %v", name, f.DefValue, err)
		}
	}
}
