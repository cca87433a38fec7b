package emit

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// kernel makes a whole kernel of functions, for a compiler to judge.
func kernel(functions string) string {
	return "#version 450\n#extension GL_ARB_gpu_shader_int64 : require\nlayout(local_size_x = 1) in;\n" + functions + "void main() {}\n"
}

// accepted asks glslangValidator.
func accepted(t *testing.T, text string) {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed (Debian package glslang-tools)")
	}
	c := exec.Command(tool, "--stdin", "-S", "comp")
	c.Stdin = strings.NewReader(text)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, text)
	}
}

// TestWholeLibraryIsGLSL: every function that a kernel may call, at every width, on every kind of device.
func TestWholeLibraryIsGLSL(t *testing.T) {
	every := Device{IEEE: true}
	for _, name := range nativeNames {
		every = every.WithNative(name)
	}
	for _, d := range []Device{{}, {Wide: true}, {IEEE: true, Doubles: true}, every} {
		p := NewPrelude(d)
		for name, it := range p.library {
			p.Call(name, 1)
			if it.generic() || it.head != nil && it.scalar() {
				for width := 2; width <= 4; width++ {
					p.Call(name, width)
				}
			}
		}
		accepted(t, kernel(p.Text()))
	}
}

// scalar reports whether a function has parameters, and they and its result have vectors of their kinds.
func (it *item) scalar() bool {
	kinds := []string{it.head.result}
	for _, p := range it.head.params {
		kinds = append(kinds, p.kind)
	}
	return len(kinds) > 1 && !slices.ContainsFunc(kinds, func(k string) bool { return vectorPrefix[k] == "" })
}

// TestPreludeHasWhatIsUsed: a function comes after what it needs, once, and nothing else comes.
func TestPreludeHasWhatIsUsed(t *testing.T) {
	p := NewPrelude(Device{IEEE: true})
	if p.Text() != "" {
		t.Errorf("an unused prelude is %q", p.Text())
	}
	for range 2 {
		if name := p.Call("floor", 2); name != "vt_f_floor" {
			t.Errorf("the name is %q", name)
		}
	}
	text := p.Text()
	last := -1
	for _, head := range []string{"float vt_f_trunc(float", "float vt_f_floor(float", "vec2 vt_f_floor(vec2"} {
		at := strings.Index(text, head)
		if at <= last || strings.Count(text, head) != 1 {
			t.Errorf("%q stands at %d, %d times, in\n%s", head, at, strings.Count(text, head), text)
		}
		last = at
	}
	if strings.Contains(text, "sqrt") {
		t.Errorf("not only what is needed:\n%s", text)
	}
}

func TestNativeFunctionsReplaceRoutines(t *testing.T) {
	strict, native := NewPrelude(Device{IEEE: true}), NewPrelude(Device{IEEE: true}.WithNative("sin").WithNative("nonsense"))
	for _, p := range []*Prelude{strict, native} {
		p.Call("sin", 1)
		p.Call("cos", 1)
	}
	if !strings.Contains(strict.Text(), "vt_f_reduce") || strings.Contains(strict.Text(), " sin(") {
		t.Error("without a budget the routine is wanted")
	}
	if !strings.Contains(native.Text(), " vt_f_nan(sin(a))") || !strings.Contains(native.Text(), "vt_f_reduce") {
		t.Errorf("the device's sin and our cos are wanted:\n%s", native.Text())
	}
	if (Device{}.WithNative("nonsense")) != (Device{}) {
		t.Error("an unknown name changes the device")
	}
}

func TestUnknownFunctionIsABug(t *testing.T) {
	defer func() {
		if r := recover(); r != "BUG: the prelude has no function nonsense" {
			t.Errorf("recovered %v", r)
		}
	}()
	NewPrelude(Device{}).Call("nonsense", 1)
}
