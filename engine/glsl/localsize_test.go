package glsl

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
)

// TestLocalSizeOverride expects the text, the tree and gl_WorkGroupSize to follow another size.
func TestLocalSizeOverride(t *testing.T) {
	const rest = "layout(std430, binding = 0) buffer B { uint n[]; };\nshared uint s[gl_WorkGroupSize.x];\nvoid main() { s[gl_LocalInvocationIndex] = 1u; n[0] = s[0]; }\n"
	for layout, fixed := range map[string]bool{
		"layout(local_size_x = 64) in;\n":                                            false,
		"layout(local_size_x = (2 * 4), local_size_z = 2) in;\n":                     false,
		"layout(local_size_y = 8) in;\nlayout(local_size_y = 8) in;\n":               false,
		"#define WG 64\nlayout(local_size_x = WG) in;\n":                             true,
		"const uint wg = 64u;\nlayout(local_size_x = wg) in;\n":                      true,
		"#pragma vyretop fixed_workgroup\nlayout(local_size_x = 64) in;\n":           true,
		"layout(LOCAL_SIZE_X = 4, Local_Size_Z = 2) in;\n":                           false,
		"#pragma optimize(on)\nlayout(local_size_x = 1, local_size_y = 2 + 3) in;\n": false,
	} {
		t.Run(layout, func(t *testing.T) {
			u, err := Compile(&source.File{Name: "k.comp", Text: "#version 450\n" + layout + rest}, Options{LocalSize: [3]uint32{16, 2, 4}})
			if err != nil {
				t.Fatal(err)
			}
			if u.FixedLocalSize != fixed {
				t.Errorf("fixed is %v", u.FixedLocalSize)
			}
			if u.Program.LocalSize != [3]uint32{16, 2, 4} || u.Program.Shared[0].Type.Len != 16 {
				t.Errorf("size %v, shared array of %d", u.Program.LocalSize, u.Program.Shared[0].Type.Len)
			}
			again, err := Compile(&source.File{Name: "text", Text: u.Text}, Options{})
			if err != nil || again.LocalSize != u.LocalSize {
				t.Errorf("the text gives %v, error %v:\n%s", again, err, u.Text)
			}
			if strings.Contains(layout, "#pragma") && strings.Index(u.Text, "#pragma") > strings.Index(u.Text, "layout") {
				t.Errorf("the pragma has moved:\n%s", u.Text)
			}
		})
	}
}

// TestLocalSizeWithoutComma: a list of layout identifiers that is not well formed is an error, not a panic.
func TestLocalSizeWithoutComma(t *testing.T) {
	for _, list := range []string{"local_size_x = 1 local_size_y = 1", "local_size_=local_size_=", "local_size_x=local_size_x=", "local_size_x = 8 local_size_y = 8 local_size_z"} {
		_, err := Compile(&source.File{Name: "k.comp", Text: "#version 450\nlayout(" + list + ") in;\nvoid main() {}\n"}, Options{LocalSize: [3]uint32{16, 2, 4}})
		var ds source.Diagnostics
		if !errors.As(err, &ds) || len(ds.Errors()) == 0 {
			t.Errorf("layout(%s): %v", list, err)
		}
	}
}
