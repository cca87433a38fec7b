package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/device"
)

// onesManifest is a workload of four tasks that each write a 1; what its verification wants is put in.
const onesManifest = `name = "ones"
[[buffer]]
name = "ones"
binding = 8
words = 4
host_visible = true
[[opcode]]
number = 0x100
name = "one"
handler = "one"
file = "one.glsl"
[[task]]
opcode = "one"
count = 4
output = "index"
[[verify]]
buffer = "ones"
value = `

const onesText = `layout(std430, binding = 8) buffer Ones { uint ones[]; };
void one(inout Task t) {
    ones[t.output_handle] = 1u;
    task_done(t);
}
`

// startOnes starts the workload with its workers paused. What ends the run waits for it, and gives what it has printed and its exit
// status.
func startOnes(t *testing.T, backend, wanted string) (env []string, ended func() (text string, status int)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ones")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"workload.toml": onesManifest + wanted + "\n", "one.glsl": onesText} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env = []string{runtimeDir(t), "XDG_STATE_HOME=" + t.TempDir()}
	run, out := vyretopCommand(env, "run", dir, "--headless", "--paused", "--backend", backend), new(bytes.Buffer)
	run.Stdout, run.Stderr = out, out
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Process.Kill() }) // it has ended, unless the test failed
	if text, status := vyretopSays(t, env, "snapshot", "ones", "--wait", patience.String()); status != 0 {
		t.Fatal(text)
	}
	return env, func() (string, int) {
		_ = run.Wait() // the status says it
		return out.String(), run.ProcessState.ExitCode()
	}
}

// TestAFailedVerificationHoldsTheRun, and one that succeeds does not: the run stands behind its end, with its buffers, until it is
// resumed or the breakpoint goes.
func TestAFailedVerificationHoldsTheRun(t *testing.T) {
	t.Parallel()
	for _, backend := range liveBackends() {
		for name, release := range map[string]func(c *liveClient, env []string, thread int){
			"continued": func(c *liveClient, _ []string, thread int) { c.must("continue", map[string]any{"threadId": thread}) },
			"resumed": func(c *liveClient, env []string, _ int) {
				if text, status := vyretopSays(c.t, env, "do", "resume all", "--target", "ones", "--control", "--timeout", patience.String()); status != 0 {
					c.t.Error(text)
				}
			},
			"left":     func(c *liveClient, _ []string, _ int) { c.must("disconnect", nil) },
			"verified": nil,
		} {
			if backend != device.Reference && name != "continued" && name != "verified" {
				continue // what ends a hold is the host's, and a driver compiles for long
			}
			t.Run(backend+" "+name, func(t *testing.T) {
				if backend == device.Reference { // elsewhere one after the other, so that the second finds the kernel compiled
					t.Parallel()
				}
				wanted := "2"
				if release == nil {
					wanted = "1"
				}
				env, ended := startOnes(t, backend, wanted)
				c := startDAP(t, env, map[string]any{"program": "ones"})
				c.must("setExceptionBreakpoints", map[string]any{"filters": []string{"verification"}})
				c.event("breakpoint", `"verified":true`)
				c.must("configurationDone", nil)
				if text, status := vyretopSays(t, env, "do", "resume all", "--target", "ones", "--control", "--timeout", patience.String()); status != 0 {
					t.Fatal(text)
				}
				if release == nil {
					c.event("terminated", "")
					if text, status := ended(); status != 0 || !strings.Contains(text, "verified ") || strings.Contains(text, "holds the run") {
						t.Errorf("status %d\n%s", status, text)
					}
					return
				}
				body, thread := c.stopped("")
				c.contains("the stop", body, `"reason":"exception"`, "the verification of its result failed: buffer ones, word 0 is 1")
				if text, _ := vyretopSays(t, env, "list"); !strings.Contains(text, "ones  finished  process ") {
					t.Errorf("while it is held: %s", text)
				}
				if text, status := vyretopSays(t, env, "words", "ones", "--word", "ones[0]"); status != 0 {
					t.Errorf("its buffers: %s", text)
				}
				release(c, env, thread)
				if text, status := ended(); status != exitFailed || !strings.Contains(text, "verification failed: buffer ones, word 0 is 1") {
					t.Errorf("status %d\n%s", status, text)
				}
			})
		}
	}
}
