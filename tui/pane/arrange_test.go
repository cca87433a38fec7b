package pane

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers is a table whose rows have a key and a number.
type numbers struct {
	NoRows
	keys, values []uint64
}

func (v *numbers) Len() int                 { return len(v.keys) }
func (v *numbers) Key(row int) uint64       { return v.keys[row] }
func (v *numbers) Number(row, _ int) uint64 { return v.values[row] }

// Many rows are sorted in another way than few, to the same order.
func TestManyRowsAreSortedAsFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		name string
		s    TableState
		most uint64 // of the numbers
	}{
		{"many that are equal", TableState{}, 10},
		{"falling", TableState{SortKey: SortKey{Descending: true}}, 1 << 40},
		{"all the same", TableState{}, 1},
		{"of 64 bits", TableState{}, 1<<64 - 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := &numbers{}
			for range radixRows + 100 {
				v.keys, v.values = append(v.keys, rng.Uint64()), append(v.values, rng.Uint64N(tc.most))
			}
			want := make([]int32, v.Len())
			for i := range want {
				want[i] = int32(i)
			}
			slices.SortFunc(want, func(a, b int32) int {
				c := cmp.Compare(v.values[a], v.values[b])
				if tc.s.Descending {
					c = -c
				}
				return cmp.Or(c, cmp.Compare(v.keys[a], v.keys[b]))
			})
			if got := Arrange(v, &tc.s, nil).Rows; !slices.Equal(got, want) {
				t.Error("another order")
			}
		})
	}
}
