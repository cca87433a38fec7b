//go:build linux

package repl

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/tui/ptytest"
)

// screen is what a terminal has been sent.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func watchScreen(master *os.File) *screen {
	s := &screen{more: make(chan struct{}, 1)}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			s.mu.Lock()
			s.text.Write(buf[:n])
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

// expect waits for a text and drops what was sent up to its end.
func (s *screen) expect(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		s.mu.Lock()
		all := s.text.String()
		i := strings.Index(all, want)
		if i >= 0 {
			s.text.Next(i + len(want))
		}
		s.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-s.more:
		case <-deadline:
			t.Fatalf("no %q in %q", want, all)
		}
	}
}

// TestATerminalEditsCompletesAndInterrupts types as a person does: completion, history, an empty line, Ctrl-C at the prompt
// and during a run without end, Ctrl-D.
func TestATerminalEditsCompletesAndInterrupts(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint result[4]; };\n" +
		"void main() {\n  uint a = 1u;\n  a = 2u;\n  for (uint i = 0u; i < 4000000000u; i++)\n    result[0] += i;\n}\n"}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := debugger.Open(debugger.Target{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan func(), 1)
	term := &Terminal{REPL: &REPL{Session: s, Out: slave, Line: func(string, int) string { return "" }, Lines: func(string) int { return 9 }}, In: slave, Out: slave, Prompt: "> ",
		Interrupt: func(end func()) func() {
			stop <- end
			return func() { <-stop }
		}}
	ended := make(chan error, 1)
	go func() { ended <- term.Run(t.Context()) }()
	out := watchScreen(master)
	press := func(keys string) {
		if _, err := master.WriteString(keys); err != nil {
			t.Fatal(err)
		}
	}
	// What is typed before the prompt is not for the editor: a terminal that is not raw takes Ctrl-C and Ctrl-D itself.
	prompted := func(text string) {
		out.expect(t, text)
		out.expect(t, "\n> ")
	}
	out.expect(t, "> ")
	press("pri\tres\t\r")
	prompted("result = [0, 0, 0, 0]")
	press("next\r")
	prompted("k.comp:5,")
	press("\r")
	prompted("k.comp:6,")
	press("rubbish\x03print 1u + 1u\r")
	prompted("1u + 1u = 2")
	press("\x1b[A\x1b[A\r")
	prompted("k.comp:7,")
	press("continue\r")
	end := <-stop
	end()
	stop <- end
	prompted("interrupted: k.comp:")
	press("\x04")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
