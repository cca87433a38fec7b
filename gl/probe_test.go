//go:build cgo && egl

package gl

import (
	"encoding/json"
	"testing"
	"time"
)

// TestProbedProfile opens the device with probes and shows what they found.
func TestProbedProfile(t *testing.T) {
	begin := time.Now()
	b := openFor(t, Options{Device: testDevice(t)})
	t.Logf("opened and probed in %v", time.Since(begin))
	p := b.Profile()
	p.Extensions = nil
	out, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
	kept, _ := b.Messages()
	for _, m := range kept {
		t.Logf("%+v", m)
	}
}
