package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"vyretop/engine/backendtest"
	"vyretop/engine/device"
)

// rounds is a workload of eight tasks that go round until the run is ended.
const roundsManifest = `name = "rounds"
[[buffer]]
name = "rounds"
binding = 8
words = 64
host_visible = true
[[opcode]]
number = 0x100
name = "turn"
handler = "turn"
file = "rounds.glsl"
[[task]]
opcode = "turn"
count = 8
output = "index"
`

const roundsText = `layout(std430, binding = 8) coherent buffer Rounds { uint rounds[]; };
void turn(inout Task t) {
    uint round = t.continuation_data;
    uint twice = 2u * round;

    rounds[t.output_handle] = twice;
    task_yield(t, 0u, round + 1u);
}
`

var everyVariant = backendtest.EveryVariant

// liveBackends are the backends on which a run is debugged. Package resident has breakpoints inside of handlers on OpenGL in each
// run of the tests.
func liveBackends() []string {
	if openGLBuilt && *everyVariant {
		return []string{device.Reference, "gl"}
	}
	return []string{device.Reference}
}

// startRounds starts the workload, and gives the environment in which it is found and the path of its source.
func startRounds(t *testing.T, backend string) (env []string, source string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rounds")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	source = filepath.Join(dir, "rounds.glsl")
	for file, text := range map[string]string{filepath.Join(dir, "workload.toml"): roundsManifest, source: roundsText} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env = []string{runtimeDir(t), "XDG_STATE_HOME=" + dir} // which say what runs are live
	// On one worker, as a driver that runs kernels on the processors compiles beside them.
	run := vyretopCommand(env, "run", dir, "--headless", "--workers", "1", "--backend", backend)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(os.Interrupt) // it may have ended
		_ = run.Wait()                       // it was interrupted
	})
	if out, err := vyretopCommand(env, "snapshot", "rounds", "--wait", patience.String()).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return env, source
}

// liveClient is a client of vyretop dap that waits for messages in any order.
type liveClient struct {
	t    *testing.T
	dap  dapClient
	kept []dapMessage // events that nothing has waited for
}

type dapMessage struct {
	Type, Event, Message string
	RequestSeq           int `json:"request_seq"`
	Success              bool
	Body                 json.RawMessage
}

// startDAP starts vyretop dap and attaches it to the run.
func startDAP(t *testing.T, env []string, arguments map[string]any) *liveClient {
	t.Helper()
	server := vyretopCommand(env, "dap")
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := server.Wait(); err != nil {
			t.Error("vyretop dap:", err)
		}
	})
	c := &liveClient{t: t, dap: dapClient{t: t, out: in, in: bufio.NewReader(out)}}
	c.must("initialize", map[string]any{"adapterID": "vyretop"})
	c.must("attach", arguments)
	c.event("initialized", "")
	return c
}

func (c *liveClient) read() dapMessage {
	c.t.Helper()
	data, err := dap.ReadBaseMessage(c.dap.in)
	if err != nil {
		c.t.Fatal(err)
	}
	var m dapMessage
	if err := json.Unmarshal(data, &m); err != nil {
		c.t.Fatal(err)
	}
	return m
}

// send sends a request and waits for its response.
func (c *liveClient) send(command string, args any) dapMessage {
	c.t.Helper()
	c.dap.seq++
	q := map[string]any{"seq": c.dap.seq, "type": "request", "command": command, "arguments": args}
	if err := dap.WriteProtocolMessage(c.dap.out, rawMessage{q}); err != nil {
		c.t.Fatal(err)
	}
	for {
		m := c.read()
		if m.Type == "response" && m.RequestSeq == c.dap.seq {
			return m
		}
		c.kept = append(c.kept, m)
	}
}

// must sends a request that succeeds, and gives the body of its response.
func (c *liveClient) must(command string, args any) string {
	c.t.Helper()
	m := c.send(command, args)
	if !m.Success {
		c.t.Fatalf("%s: %s", command, m.Message)
	}
	return string(m.Body)
}

// event waits for an event whose body has a text in it.
func (c *liveClient) event(name, text string) string {
	c.t.Helper()
	for {
		if len(c.kept) == 0 {
			c.kept = append(c.kept, c.read())
		}
		m := c.kept[0]
		c.kept = c.kept[1:]
		if m.Event == name && strings.Contains(string(m.Body), text) {
			return string(m.Body)
		}
	}
}

// stopped waits for a stop, and gives the number of its thread.
func (c *liveClient) stopped(text string) (body string, thread int) {
	c.t.Helper()
	body = c.event("stopped", text)
	var at struct{ ThreadID int }
	if err := json.Unmarshal([]byte(body), &at); err != nil {
		c.t.Fatal(err)
	}
	return body, at.ThreadID
}

func (c *liveClient) contains(what, body string, texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			c.t.Errorf("%s is %s, want %s", what, body, text)
		}
	}
}

// breakAt makes the breakpoints of the source those given, and waits until the run has them.
func (c *liveClient) breakAt(source string, list ...map[string]any) {
	c.t.Helper()
	c.must("setBreakpoints", map[string]any{"source": map[string]any{"path": source}, "breakpoints": list})
	for range list {
		c.event("breakpoint", `"verified":true`)
	}
}

// TestEditorsHoldTasksOfALiveRun: breakpoints of an editor were of one captured task only, and never held another.
func TestEditorsHoldTasksOfALiveRun(t *testing.T) {
	t.Parallel()
	for _, backend := range liveBackends() {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			env, source := startRounds(t, backend)
			c := startDAP(t, env, map[string]any{"program": "rounds"})
			c.breakAt(source, map[string]any{"line": 5, "condition": "round > 3u && t.output_handle == 2u"})
			c.must("configurationDone", nil)

			body, thread := c.stopped("")
			c.contains("the stop", body, `"reason":"breakpoint"`, `"hitBreakpointIds":[1]`, "rounds.glsl:6", "task 3 (turn) on worker ")
			c.contains("threads", c.must("threads", nil), fmt.Sprintf(`{"id":%d,"name":"worker `, thread), ": task 3 (turn)")
			c.contains("the stack", c.must("stackTrace", map[string]any{"threadId": thread, "levels": 1}), `"line":6`, `"path":"`+source)
			c.contains("round > 3u", c.must("evaluate", map[string]any{"expression": "round > 3u"}), `"result":"true"`)
			if m := c.send("evaluate", map[string]any{"expression": "roundd", "context": "watch"}); !strings.Contains(m.Message, `did you mean "round"`) {
				t.Errorf("the answer to an unknown name is %q", m.Message)
			}
			c.must("stepBack", map[string]any{"threadId": thread})
			_, thread = c.stopped(`"reason":"step"`)
			c.must("next", map[string]any{"threadId": thread})
			_, thread = c.stopped(`"reason":"step"`)
			c.must("continue", map[string]any{"threadId": thread})
			c.event("output", "task 3 is ")
			_, thread = c.stopped(`"hitBreakpointIds":[1]`) // the task's next activation

			c.holdsWhatWrites(source, thread)
			c.must("disconnect", nil)
			c.nothingIsLeft(env)
		})
	}
}

// TestATaskThatIsHeldBeforeTheWaitIsAtItsBreakpoint: one that was held before the editor was ready stood there for no reason.
func TestATaskThatIsHeldBeforeTheWaitIsAtItsBreakpoint(t *testing.T) {
	t.Parallel()
	env, source := startRounds(t, device.Reference)
	c := startDAP(t, env, map[string]any{"program": "rounds"})
	c.breakAt(source, map[string]any{"line": 6, "condition": "t.output_handle == 2u"})
	if out, err := vyretopCommand(env, "do", "wait paused=1", "--timeout", patience.String()).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.must("configurationDone", nil)
	body, _ := c.stopped("")
	c.contains("the stop", body, `"reason":"breakpoint"`, `"hitBreakpointIds":[1]`)
	c.must("disconnect", nil)
	c.nothingIsLeft(env)
}

// holdsWhatWrites replaces the breakpoint that holds a thread by one on a word, and that by a message.
func (c *liveClient) holdsWhatWrites(source string, thread int) {
	c.t.Helper()
	c.must("setBreakpoints", map[string]any{"source": map[string]any{"path": source}, "breakpoints": []any{}})
	c.contains("the place", c.must("dataBreakpointInfo", map[string]any{"name": "rounds[5]"}), `"dataId":"run: rounds[5]"`)
	c.must("setDataBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"dataId": "run: rounds[5]", "condition": "value > 8u"}}})
	c.event("breakpoint", `"verified":true`)
	c.must("continue", map[string]any{"threadId": thread})
	body, thread := c.stopped("")
	c.contains("the stop", body, `"reason":"data breakpoint"`, `"hitBreakpointIds":[2]`, "rounds[5]: ", "task 6 (turn)")
	c.must("setDataBreakpoints", map[string]any{"breakpoints": []any{}})

	c.breakAt(source, map[string]any{"line": 6, "logMessage": "twice {twice}", "condition": "t.output_handle == 7u"})
	c.must("continue", map[string]any{"threadId": thread})
	c.contains("the message", c.event("output", "twice "), "(task 8)", `"line":6`)
}

// nothingIsLeft waits until no task is held, and says which breakpoints are left.
func (c *liveClient) nothingIsLeft(env []string) {
	c.t.Helper()
	if out, err := vyretopCommand(env, "do", "wait paused=0", "--timeout", patience.String()).CombinedOutput(); err != nil {
		c.t.Errorf("%v\n%s", err, out)
	}
	out, err := vyretopCommand(env, "breakpoints", "--json").Output()
	if err != nil || strings.Contains(string(out), `"id"`) {
		c.t.Errorf("breakpoints that are left: %s, %v", out, err)
	}
}

// TestEditorsLeaveTasksHeldOrEndTheRun: what becomes of a held task on disconnecting is the client's choice.
func TestEditorsLeaveTasksHeldOrEndTheRun(t *testing.T) {
	t.Parallel()
	env, source := startRounds(t, device.Reference)
	c := startDAP(t, env, map[string]any{"program": "rounds"})
	c.breakAt(source, map[string]any{"line": 6, "condition": "t.output_handle == 2u", "hitCondition": ">=3"})
	c.must("configurationDone", nil)
	c.stopped(`"reason":"breakpoint"`)
	c.must("disconnect", map[string]any{"suspendDebuggee": true})
	if out, err := vyretopCommand(env, "do", "wait paused=1", "--timeout", patience.String()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}

	c = startDAP(t, env, map[string]any{"program": "rounds"})
	c.must("configurationDone", nil)
	c.stopped("task 3 (turn)") // it stood still already
	c.must("disconnect", map[string]any{"terminateDebuggee": true})
	if out, err := vyretopCommand(env, "list").CombinedOutput(); strings.Contains(string(out), "rounds") {
		t.Errorf("the run has not ended: %s, %v", out, err)
	}
}

// TestEditorsPauseALiveRun: the workers are paused, a task is opened, and both continue.
func TestEditorsPauseALiveRun(t *testing.T) {
	t.Parallel()
	env, source := startRounds(t, device.Reference)
	c := startDAP(t, env, map[string]any{"program": "rounds"})
	c.must("configurationDone", nil)
	c.must("pause", map[string]any{"threadId": 1})
	_, thread := c.stopped(`"reason":"pause"`)
	c.contains("the stack", c.must("stackTrace", map[string]any{"threadId": thread}), `"name":"turn"`)
	c.breakAt(source, map[string]any{"line": 6, "hitCondition": "2"})
	c.must("continue", map[string]any{"threadId": thread})
	c.stopped(`"reason":"breakpoint"`)
	c.must("disconnect", nil)
	c.nothingIsLeft(env)
}
