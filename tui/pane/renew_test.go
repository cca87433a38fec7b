package pane

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"vyretop/megakernel"
)

// A table of the log and its order that are made again in their own memory equal new ones, whatever the
// log was before: longer, shorter, with records missing or some not written yet.
func TestLogsMadeAgainEqualNewOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var again Log
		var arranger Arranger
		for n := rapid.IntRange(1, 8).Draw(t, "frames"); n > 0; n-- {
			f := &Frame{Target: &megakernel.Target{}, Snap: &megakernel.Snapshot{InFlight: uint64(rapid.IntRange(0, 1).Draw(t, "in flight"))}}
			next := uint64(rapid.IntRange(0, 5).Draw(t, "first"))
			for range rapid.IntRange(0, 12).Draw(t, "records") {
				f.Log = append(f.Log, megakernel.LogRecord{Number: next})
				next += uint64(rapid.SampledFrom([]int{1, 1, 1, 1, 4}).Draw(t, "step"))
			}
			fresh := NewLog(f, 0)
			again.Renew(f, 0)
			if diff := cmp.Diff(fresh.rows, again.rows, cmp.AllowUnexported(logRow{})); diff != "" {
				t.Fatalf("rows (-fresh +again): %s", diff)
			}
			s := &TableState{}
			want, got := new(Arranger).Arrange(fresh, s, nil), arranger.Arrange(&again, s, nil)
			if diff := cmp.Diff(want.Rows, got.Rows, cmpopts.EquateEmpty()); diff != "" || want.Total != got.Total {
				t.Fatalf("order (-fresh +again): %s", diff)
			}
		}
	})
}
