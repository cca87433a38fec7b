package dispatch

import "testing"

// TestElementsOfUniformsNeedTheirBracket: a name with a bracket that is not closed is refused and does not set the element.
func TestElementsOfUniformsNeedTheirBracket(t *testing.T) {
	p := compiled(t, `layout(local_size_x = 1) in;
uniform int weights[3];
layout(std430, binding = 4) buffer B { int v[]; };
void main() { v[0] = weights[1]; }
`)
	for name, valid := range map[string]bool{"weights[1]": true, "weights[1": false, "weights[1]]": false, "weights[]": false, "weights[+": false} {
		if _, err := (&Request{Uniforms: map[string]string{name: "7"}}).patches(p); valid != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
