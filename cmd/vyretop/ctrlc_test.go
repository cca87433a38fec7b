package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/device"
)

// slowToVerify is the folder of a workload with one short task, whose result takes most of a minute to check.
func slowToVerify(t *testing.T) string {
	t.Helper()
	const handler = "layout(std430, binding = 8) buffer Zeros { uint zeros[]; };\nvoid nop(inout Task t) { zeros[0] = 0u; task_done(t); }\n"
	const manifest = `name = "slow"
[[buffer]]
name = "zeros"
binding = 8
words = 4194304
host_visible = true
[[opcode]]
number = 0x100
name = "nop"
handler = "nop"
file = "nop.glsl"
[[task]]
opcode = "nop"
`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"nop.glsl": handler, "workload.toml": manifest + strings.Repeat("[[verify]]\nbuffer = \"zeros\"\nvalue = 0\n", 2000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestCtrlCEndsAVerification: a run that is verifying its result took no notice of the first Ctrl-C without a dashboard. With
// one that had been left, it came twice and killed the run. What was computed is printed.
func TestCtrlCEndsAVerification(t *testing.T) {
	t.Parallel()
	const verifying = `verifying, .* .Ctrl-C ends without the verdict`
	for name, tc := range map[string]struct {
		flags string
		steps []string // what is waited for, and the key that is pressed then, in turns
		then  string
	}{
		"headless":         {"--headless", []string{verifying}, `^verified +no, the verification was not waited for$`},
		"JSON":             {"--json", []string{verifying}, `"verified": null`},
		"line by line":     {"--linear", []string{verifying}, `^verified +no, the verification was not waited for$`},
		"on OpenGL":        {"--headless --backend " + device.OpenGL, []string{verifying}, `^verified +no, the verification was not waited for$`},
		"in the dashboard": {"", []string{`q quit`, "0", `the work has ended`}, `^verified +no, the verification was not waited for$`},
		"asked on leaving": {"", []string{`q quit`, "0", `the work has ended`, "q", `w wait for the verdict`}, `^verified +no, the verification was not waited for$`},
		"waited for":       {"", []string{`q quit`, "0", `the work has ended`, "q", `w wait for the verdict`, "w", verifying}, `^verified +no, the verification was not waited for$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(tc.flags, device.OpenGL) && !openGLBuilt {
				t.Skip("built without OpenGL")
			}
			s := newScreen(t, "trap : INT; vyretop run "+slowToVerify(t)+" --backend "+device.Reference+" --workers 2 "+tc.flags+"; echo status=$?; exec cat")
			for i, step := range tc.steps {
				if i%2 == 0 {
					s.until(step)
				} else {
					s.press(step)
				}
			}
			s.press("C-c")
			s.until(tc.then, `^status=1$`)
			s.restored()
		})
	}
}

// TestCtrlCEndsACompilation: a driver that compiles cannot be interrupted, so the program leaves without it.
func TestCtrlCEndsACompilation(t *testing.T) {
	if !openGLBuilt {
		t.Skip("built without OpenGL")
	}
	t.Parallel()
	interrupted := []string{`interrupted by a signal; the work was not finished`, `^status=1$`}
	results := []string{`0 done, 0 faulted, 9 left$`, `^verified +no, the work was cut short$`, `^status=1$`}
	for name, tc := range map[string]struct {
		flags, compiling string
		then             []string
	}{
		// A breakpoint needs the full kernel, which takes seconds; without one the core variant is ready within a second.
		"headless":                        {"--headless --break op=runner", `compiling the kernel for`, interrupted},
		"before the dashboard":            {"--break op=runner", `compiling the kernel for`, interrupted},
		"the full kernel, beside the run": {"--headless", ` 0 % `, results},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScreen(t, "trap : INT; "+gateCommand(t, device.OpenGL, tc.flags), "VYRETOP_PROGRAM_CACHE=off", "MESA_SHADER_CACHE_DISABLE=true")
			s.until(tc.compiling)
			s.press("C-c")
			s.until(tc.then...)
			s.restored()
		})
	}
}

// TestAPausedStartSaysWhatItWaitsFor: the screen was empty while software OpenGL compiled the kernel in its first slice.
func TestAPausedStartSaysWhatItWaitsFor(t *testing.T) {
	if !openGLBuilt {
		t.Skip("built without OpenGL")
	}
	t.Parallel()
	s := newScreen(t, "trap : INT; "+gateCommand(t, device.OpenGL, "--headless --paused"), "VYRETOP_PROGRAM_CACHE=off", "MESA_SHADER_CACHE_DISABLE=true")
	s.until(`waiting for the workers to pause, `)
	s.until(`all workers are paused`)
	s.press("C-c")
	s.until(`^status=1$`)
	s.restored()
}

// TestCtrlCKeepsWhatWasCompared: a terminal sends Ctrl-C to the processes that compare random kernels, too. The error of one of
// them, about a device that was not free, hid the interruption, and what had been compared was lost.
func TestCtrlCKeepsWhatWasCompared(t *testing.T) {
	t.Parallel()
	// The processes are started by the path of this one, which has to be the program that testscript made, and no link to the tests.
	s := newScreen(t, "trap : INT; PATH=${PATH#*:} vyretop conform --backend reference --filter kernel.loops --fuzz 1000000; echo status=$?; exec cat")
	s.until(`[1-9]\d* of 1.00M kernels`)
	s.press("C-c")
	s.until(`^result +1 cases, [1-9]\d* random programs, 0 differences, .* s; interrupted`, `interrupted by a signal`, `^status=1$`)
	s.restored()
}
