package dap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// endless runs for minutes.
const endless = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void spin() {
  for (uint k = 0u; k < 4000000000u; k++) {
    v[k & 15u] += k;
  }
}
void main() {
  spin();
  v[1] = 1u;
}
`

// atEntry connects a client, launches the endless kernel and stops at its entry.
func atEntry(t testing.TB) *client {
	c := connect(t, kernels(t, map[string]string{"kernel.comp": endless}))
	c.do("initialize", `{"adapterID":"vyretop","linesStartAt1":false}`)
	c.do("launch", `{"program":"$DIR/kernel.comp","stopOnEntry":true}`)
	c.do("configurationDone", "")
	return c
}

// answer sends a request and waits for its response alone.
func (c *client) answer(command, args string) message {
	c.t.Helper()
	seq := c.send(command, args)
	list := c.until(func(m message) bool { return m.RequestSeq == seq })
	return list[len(list)-1]
}

func isStop(m message) bool { return m.Event == "stopped" }

func TestRunsAnswerRequestsAndArePaused(t *testing.T) {
	c := atEntry(t)
	c.answer("continue", `{"threadId":1}`)
	if m := c.answer("threads", ""); !m.Success || !strings.Contains(string(m.Body), "workgroup 0, lane 0") {
		t.Errorf("threads: %s", m.Body)
	}
	if m := c.answer("evaluate", `{"expression":"k"}`); m.Success || m.Message != "notStopped" {
		t.Errorf("evaluate: %+v", m)
	}
	if m := c.answer("pause", ""); !m.Success {
		t.Errorf("pause: %+v", m)
	}
	if m := c.receive(); !isStop(m) || !strings.Contains(string(m.Body), `"reason":"pause"`) {
		t.Errorf("after the pause: %+v", m)
	}
	if m := c.answer("evaluate", `{"expression":"v[0] > 0u || true"}`); !m.Success {
		t.Errorf("evaluate: %+v", m)
	}
}

func TestThreadsAreListedBeforeTheFirstStop(t *testing.T) {
	c := connect(t, kernels(t, map[string]string{"kernel.comp": endless}))
	c.do("initialize", `{"adapterID":"vyretop"}`)
	c.do("launch", `{"program":"$DIR/kernel.comp"}`)
	c.answer("configurationDone", "")
	if m := c.answer("threads", ""); !strings.Contains(string(m.Body), "workgroup 0, lane 0") {
		t.Errorf("threads: %s", m.Body)
	}
}

func TestBreakpointsSetDuringARunAreHit(t *testing.T) {
	for _, command := range []string{"setBreakpoints", "setDataBreakpoints"} {
		t.Run(command, func(t *testing.T) {
			c := atEntry(t)
			c.do("dataBreakpointInfo", `{"name":"v[3]"}`)
			c.answer("continue", `{"threadId":1}`)
			args := map[string]string{
				"setBreakpoints":     `{"source":{"path":"$DIR/kernel.comp"},"breakpoints":[{"line":5}]}`, // from 0 on
				"setDataBreakpoints": `{"breakpoints":[{"dataId":"1: v[3]"}]}`,
			}[command]
			if m := c.answer(command, args); !m.Success || !strings.Contains(string(m.Body), `"verified":true`) {
				t.Fatalf("%s: %+v", command, m)
			}
			c.until(isStop)
			m := c.answer("stackTrace", `{"threadId":1}`)
			if !strings.Contains(string(m.Body), `"line":5,`) {
				t.Errorf("stopped at %s", m.Body)
			}
		})
	}
}

func TestRequestsDuringAStepAreServedAfterIt(t *testing.T) {
	c := atEntry(t)
	c.do("next", `{"threadId":1}`)
	c.do("stepIn", `{"threadId":1}`)
	c.answer("stepOut", `{"threadId":1}`)
	later := c.send("setBreakpoints", `{"source":{"path":"$DIR/kernel.comp"},"breakpoints":[{"line":5}]}`)
	c.answer("pause", "")
	list := c.until(func(m message) bool { return m.RequestSeq == later })
	if !slices.ContainsFunc(list, isStop) || !list[len(list)-1].Success {
		t.Errorf("after the step: %+v", list)
	}
}

func TestRequestsThatWaitForAStepAreBounded(t *testing.T) {
	c := atEntry(t)
	c.do("next", `{"threadId":1}`)
	c.do("stepIn", `{"threadId":1}`)
	c.answer("stepOut", `{"threadId":1}`)
	for range maxLater {
		c.send("setExceptionBreakpoints", `{"filters":[]}`)
	}
	if m := c.answer("setExceptionBreakpoints", `{"filters":[]}`); m.Success {
		t.Error("more requests wait than there is room for")
	}
	c.answer("pause", "")
	c.until(func(m message) bool { return m.RequestSeq == c.seq-2 })
}

func TestSessionsEndDuringARun(t *testing.T) {
	for name, end := range map[string]func(*client){
		"disconnect":   func(c *client) { c.answer("disconnect", "") },
		"input ends":   func(c *client) { c.out.Close() },
		"after an end": func(c *client) { c.do("terminate", ""); c.answer("disconnect", "") },
	} {
		t.Run(name, func(t *testing.T) {
			c := atEntry(t)
			c.answer("continue", `{"threadId":1}`)
			end(c)
			err := <-c.done
			c.done <- nil // for the cleanup
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestServingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	defer toServer.Close()
	cancel()
	if err := Serve(ctx, in, io.Discard, Programs{Open: openFile}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestMalformedFramesEndTheSession(t *testing.T) {
	huge := "Content-Length: 5000000\r\n\r\n"
	for name, test := range map[string]struct {
		in   io.Reader
		want string
	}{
		"no header":         {strings.NewReader("hello\r\n\r\n"), "the header is malformed"},
		"no empty line":     {strings.NewReader("Content-Length: 2\r\n{}"), "malformed"},
		"negative":          {strings.NewReader("Content-Length: -2\r\n\r\n{}"), "malformed"},
		"length overflows":  {strings.NewReader("Content-Length: 99999999999999999999\r\n\r\n{}"), "malformed"},
		"too long":          {strings.NewReader(huge), "larger than 4 MiB"},
		"header never ends": {zeros{}, "larger than 4 MiB"},
		"cut off":           {strings.NewReader("Content-Length: 20\r\n\r\n{}"), "the input ends inside it"},
		"cut off in header": {strings.NewReader("Content-Len"), "the input ends inside it"},
		"read error":        {iotest.ErrReader(errors.New("gone")), "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			err := Serve(t.Context(), test.in, &out, Programs{Open: openFile})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if !strings.Contains(out.String(), test.want) {
				t.Errorf("the client got %q, want %q", out.String(), test.want)
			}
		})
	}
}

// zeros is an endless input.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestClientsThatDoNotReadEndTheSession(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	fromServer.Close()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out, Programs{Open: openFile}) }()
	fmt.Fprint(toServer, "Content-Length: 2\r\n\r\n{}")
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	toServer.Close()
}
