package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// translated translates a package of one file.
func translated(t *testing.T, text string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.go"), []byte("package floats\n\n"+text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := translate(dir)
	_, body, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(body), err
}

func TestTranslation(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"float64 arithmetic is precise", "func F(x float64) float64 {\n\ty := x + 0.5\n\treturn y - float64(x*y)\n}", `double vt_f_f(double x_) {
	precise double y_ = (x_ + packDouble2x32(uvec2(0x0u, 0x3fe00000u)));
	precise double result_ = (y_ - (x_ * y_));
	return result_;
}`},
		{"float32 operators are calls", "func F(x, y float32) bool { return x*y > 1 || x != y }", `bool vt_f_f(float x_, float y_) {
	return (vt_f_less(vt_f_constant(0x3f800000u), vt_f_mul(x_, y_)) || !vt_f_equal(x_, y_));
}`},
		{"integers", "func F(n uint32, i int32) int32 {\n\tvar m uint32\n\tif n&^3 == 4 {\n\t\tm = n<<2 | uint32(i)\n\t} else {\n\t\tm = ^n\n\t}\n\treturn int32(m >> 1)\n}", `int vt_f_f(uint n_, int i_) {
	uint m_ = uint(0);
	if (((n_ & ~0x3u) == 0x4u)) {
		m_ = ((n_ << 2) | uint(i_));
	} else {
		m_ = (~n_);
	}
	return int((m_ >> 1));
}`},
		{"structures and tables", "type pair struct {\n\ta float64\n\tn uint32\n}\n\nvar table = [...]uint32{1, 2}\n\nfunc f(i uint32) pair { return pair{0, table[i]} }\n\nfunc G(i uint32) uint32 { return f(i).n }", `struct vt_f_pair {
	double a_;
	uint n_;
};

const uint vt_f_table[2] = uint[2](0x1u, 0x2u);

vt_f_pair vt_f_f(uint i_) {
	return vt_f_pair(packDouble2x32(uvec2(0x0u, 0x0u)), vt_f_table[i_]);
}

uint vt_f_g(uint i_) {
	return vt_f_f(i_).n_;
}`},
	} {
		got, err := translated(t, c.text)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func F(x, y, z float64) float64 { return x*y + z }", "may fuse"},
		{"func F(x, y, z float32) float32 { return z - (x * y) }", "may fuse"},
		{"func F(x, y float64) float64 { return x / y }", "divide inexactly"},
		{"func F(x, y float32) float32 { return x / y }", "cannot be translated"},
		{"func g(x float64) float64 { return x }\n\nfunc F(x float64) float64 { return g(x + 1) }", "give it a name first"},
		{"func F(x float64) float64 {\n\tif x*x > 2 {\n\t\treturn 0\n\t}\n\treturn x\n}", "give it a name first"},
		{"func F(x float32) float64 { return float64(x) }", "the conversion from float32 to float64"},
		{"func F(x float64) int32 { return int32(x) }", "the conversion from float64 to int32"},
		{"func F(x uint64) uint64 { return x }", "has no GLSL counterpart"},
		{"func F(n uint32) uint32 {\n\tfor n > 3 {\n\t\tn = n - 1\n\t}\n\treturn n\n}", "this statement cannot be translated"},
		{"func F(n uint32) (uint32, uint32) { return n, n }", "one result"},
		{"func f(n uint32) uint32 { return n }\n\nfunc F(n uint32) uint32 { return f(n) }", "another function becomes vt_f_f"},
		{"import \"math\"\n\nfunc F(x float64) float64 { return math.Sqrt(x) }", "only functions of the package"},
		{"func F(n uint32) uint32 {\n\tn += 2\n\treturn n\n}", "with = or :="},
	} {
		if _, err := translated(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
