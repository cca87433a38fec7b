package device

import (
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/gl"
)

const memoryTable = `  memory                            host read  host write  device read  device write  round trip
  host-visible                      2.5 ns     10.0 ns     900.0 ns     20.5 ns       1200 ns
                                    8000 MB/s  4000 MB/s   50000 MB/s   -             
  device-local (is something else)  -          -           -            -             -
                                    -          -           -            -             
`

func TestMemoryTable(t *testing.T) {
	known := engine.Known[float64]
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	writeMemory(w, []gl.Memory{
		{
			Class: "host-visible", Placement: "host-visible", RoundTripNs: known(1200),
			HostRead: gl.Access{NsPerWord: known(2.5), MBPerS: known(8000)}, HostWrite: gl.Access{NsPerWord: known(10), MBPerS: known(4000)},
			DeviceRead: gl.Access{NsPerWord: known(900), MBPerS: known(50000)}, DeviceWrite: gl.Access{NsPerWord: known(20.5)},
		},
		{Class: "device-local", Placement: "something else"},
	})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memoryTable, b.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	writeMemory(&b, nil)
	if b.String() != memoryTable {
		t.Errorf("no rows print %q", strings.TrimPrefix(b.String(), memoryTable))
	}
}
