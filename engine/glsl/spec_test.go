package glsl

import (
	"testing"

	"vyretop/engine/glsl/source"
)

// TestASpecializedWorkgroupSizeCountsWhereverItIsNamed: the value that is given for local_size_x_id takes the place of local_size_x on either
// side of it, and local_size_x counts where none is given.
func TestASpecializedWorkgroupSizeCountsWhereverItIsNamed(t *testing.T) {
	for _, layout := range []string{"local_size_x_id = 0, local_size_x = 256, local_size_y = 2", "local_size_x = 256, local_size_y = 2, local_size_x_id = 0"} {
		for _, c := range []struct {
			spec map[uint32]string
			want [3]uint32
		}{{nil, [3]uint32{256, 2, 1}}, {map[uint32]string{0: "64"}, [3]uint32{64, 2, 1}}} {
			u, err := Compile(&source.File{Name: "k.comp", Text: "#version 450\nlayout(" + layout + ") in;\nvoid main() {}\n"}, Options{Spec: c.spec})
			if err != nil {
				t.Fatal(err)
			}
			if got := u.Program.LocalSize; got != c.want {
				t.Errorf("%s with %v: %v, want %v", layout, c.spec, got, c.want)
			}
		}
	}
}
