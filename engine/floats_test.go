package engine

import (
	"slices"
	"strings"
	"testing"
)

const floatHead = "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { float f; uint n; };\n"

func compiled(t *testing.T, main string) *Program {
	t.Helper()
	p, err := CompileText("floats", floatHead+"void main() { "+main+" }\n")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProgramForDevice: the text fits what is known of the device, and only that changes.
func TestProgramForDevice(t *testing.T) {
	p := compiled(t, "f = sin(f) / f + exp2(f);")
	ieee := Floats{IEEE: true, Bounds: map[string]uint8{"/": 1, "exp2": 7, "unknown": 1}}
	if !p.UsesFloats() || p.For(ieee, 0) != p || p.For(Floats{IEEE: true}, 200) != p {
		t.Error("without a budget, or a function within it, an IEEE device gets the program's own text")
	}
	for _, c := range []struct {
		name             string
		floats           Floats
		budget           uint8
		present, missing []string
	}{
		{"not trusted", Floats{}, 0, []string{"vt_f_addBits(", "vt_f_quotient("}, []string{"r = a + b"}},
		{"budget for the division", ieee, 3, []string{"vt_f_nan(a / b)", "vt_f_power2(", "vt_f_reduce("}, []string{"vt_f_quotient("}},
		{"budget for two", ieee, 7, []string{"vt_f_nan(a / b)", "vt_f_nan(exp2(a))", "vt_f_reduce("}, []string{"vt_f_power2("}},
	} {
		q := p.For(c.floats, c.budget)
		has := func(s string) bool { return strings.Contains(q.Text, s) }
		lacks := func(s string) bool { return !has(s) }
		if q == p || slices.ContainsFunc(c.present, lacks) || slices.ContainsFunc(c.missing, has) {
			t.Errorf("%s: want %q and not %q in\n%s", c.name, c.present, c.missing, q.Text)
		}
		if q.Fingerprint() == p.Fingerprint() {
			t.Errorf("%s: another text has the same fingerprint", c.name)
		}
		if q.Name != p.Name || q.Tree != p.Tree || q.LinePos(5) != p.LinePos(5) {
			t.Errorf("%s: more than the text has changed", c.name)
		}
	}
}

func TestProgramWithoutFloatsIsForEveryDevice(t *testing.T) {
	p := compiled(t, "n = n / 3u + n % n;")
	if p.UsesFloats() || p.For(Floats{}, 9) != p {
		t.Error("a program without floats depends on them")
	}
}

// TestComparingFloatsForEqualityDependsOnTheDevice: one that flushes denormals takes them for zero.
func TestComparingFloatsForEqualityDependsOnTheDevice(t *testing.T) {
	p := compiled(t, "n = uint(uintBitsToFloat(n) == uintBitsToFloat(7u));")
	if q := p.For(Floats{}, 0); !p.UsesFloats() || !strings.Contains(q.Text, "vt_f_equal") {
		t.Errorf("a device that may flush denormals compares by itself:\n%s", q.Text)
	}
}
