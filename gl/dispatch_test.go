//go:build cgo && egl

package gl

import (
	"testing"

	"vyretop/engine"
)

// TestDispatchComputes runs a kernel over memory of both classes and checks every word.
func TestDispatchComputes(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	for _, class := range []engine.Placement{engine.HostVisible, engine.DeviceLocal} {
		t.Run(class.String(), func(t *testing.T) {
			const n = 10_000
			buf := allocate(t, b, n, class)
			if buf.Placement() != class {
				t.Fatalf("asked for %v, got %v", class, buf.Placement())
			}
			for range 2 {
				timing := wait(t, start(t, pl, (n+63)/64, buf))
				t.Logf("wall %v enqueue %v wait %v device %v", timing.Wall, timing.Enqueue, timing.Wait, timing.Device)
			}
			got := make([]uint32, n)
			if err := buf.Download(t.Context(), 0, got); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if want := 2 * uint32(i) * uint32(i); v != want {
					t.Fatalf("word %d is %d, want %d", i, v, want)
				}
			}
		})
	}
}
