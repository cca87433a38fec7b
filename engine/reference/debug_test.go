package reference

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
)

// The line numbers of this kernel are in the tests.
const stepped = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent buffer B { uint go; uint r[4]; }; shared uvec2 pair; shared uint sum[2];
uint triple(uint x) {
  uint y = x * 3u;
  return y;
}
void main() {
  while (go == 0u) { }
  uint i = gl_LocalInvocationIndex; sum[i & 1u] = i;
  uint a = triple(i);
  if (i > 1u) {
    a += 100u;
  } else {
    a += 200u;
  }
  for (uint k = 0u; k < 2u; k++) {
    a += k;
  }
  r[i] = a;
}
`

// startStepped starts the kernel and pauses it in its first loop.
func startStepped(t *testing.T) (context.Context, *Dispatch, *Debugger, engine.Buffer) {
	t.Helper()
	ctx := testContext(t)
	b := openBackend(t, Options{})
	p := compileText(t, b, "stepped.comp", stepped)
	disassembly(t, p)
	buf, err := b.Allocate(ctx, "B", 5, engine.HostVisible)
	if err != nil {
		t.Fatal(err)
	}
	pending, err := p.Start(ctx, []engine.Binding{{Index: 0, Buffer: buf}}, engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	d := pending.(*Dispatch)
	g, err := d.Attach()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Pause(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx, d, g, buf
}

// breakAt lets the kernel continue to a line and returns the number of the workgroup that came there.
func breakAt(t *testing.T, ctx context.Context, g *Debugger, buf engine.Buffer, line int) uint64 {
	t.Helper()
	g.StopWhen(atLine("stepped.comp", line))
	buf.Words().Store(0, 1)
	if err := g.Resume(ctx); err != nil {
		t.Fatal(err)
	}
	select {
	case stop := <-g.Stops():
		if stop.Reason != StopPredicate || stop.Site.Pos.Line != line {
			t.Fatalf("stopped %+v, want line %d", stop, line)
		}
		return stop.Workgroup
	case <-ctx.Done():
		t.Fatal("the breakpoint was not reached")
		return 0
	}
}

func TestSteppingFollowsTheSource(t *testing.T) {
	tests := []struct {
		name  string
		unit  StepUnit
		lines []int
	}{
		{"into calls", StepLine, []int{11, 5, 6, 12, 13, 14, 15, 16, 17, 18, 17, 18, 17, 20}},
		{"over calls", StepOver, []int{11, 12, 13, 14, 15, 16, 17, 18, 17, 18, 17, 20}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, d, g, buf := startStepped(t)
			group := breakAt(t, ctx, g, buf, test.lines[0])
			lines := test.lines[:1:1]
			for {
				stop, err := g.Step(ctx, group, test.unit)
				if err != nil {
					t.Fatal(err)
				}
				if stop.Reason == StopEnded {
					break
				}
				lines = append(lines, stop.Site.Pos.Line)
			}
			if lines[len(lines)-1] == 21 { // the closing brace
				lines = lines[:len(lines)-1]
			}
			if !slices.Equal(lines, test.lines) {
				t.Errorf("went through lines\n%v, want\n%v", lines, test.lines)
			}
			finish(t, ctx, d, g, buf)
		})
	}
}

// finish resumes and checks that stepping changed nothing about the result.
func finish(t *testing.T, ctx context.Context, d *Dispatch, g *Debugger, buf engine.Buffer) {
	t.Helper()
	if err := g.Resume(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{201, 204, 107, 110} {
		if got := buf.Words().Load(1 + i); got != want {
			t.Errorf("r[%d] = %d, want %d", i, got, want)
		}
	}
}

func TestDebuggerShowsTheVariablesOfALane(t *testing.T) {
	ctx, d, g, buf := startStepped(t)
	group := breakAt(t, ctx, g, buf, 6)
	var text []string
	err := g.Workgroups(ctx, func(w *Workgroup) {
		if w.Number() != group {
			return
		}
		for _, v := range w.Variables(2) {
			text = append(text, fmt.Sprintf("%s=%d", v.Variable.Name, v.Words[0]))
		}
		for _, v := range w.Shared() {
			text = append(text, fmt.Sprintf("%s=%d", v.Variable.Name, v.Words))
		}
		if !w.Active(2) || w.Active(4) || w.Active(-1) {
			t.Error("the active lanes are wrong")
		}
		if w.Variables(4) != nil || w.Variables(-1) != nil {
			t.Error("a lane that does not exist has variables")
		}
		if stack := w.Stack(); len(stack) != 1 || stack[0].Func != "triple" || stack[0].Pos.Line != 11 {
			t.Errorf("stack %v", stack)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(text, " "); got != "i=2 x=2 y=6 pair=[0 0] sum=[2 3]" {
		t.Errorf("variables %q", got)
	}
	stop, err := g.Step(ctx, group, StepOut)
	if err != nil || stop.Reason != StopStep || stop.Site.Pos.Line != 12 {
		t.Errorf("stepping out of the call: %+v, %v", stop, err)
	}
	finish(t, ctx, d, g, buf)
}

func TestStepEndsInALoopOnOneLine(t *testing.T) {
	ctx, d, g, buf := startStepped(t)
	stop, err := g.Step(ctx, 1, StepLine)
	if err != nil || stop.Reason == StopStep && stop.Site.Pos.Line != 9 {
		t.Errorf("%+v, %v", stop, err)
	}
	if stop, err = g.Step(ctx, 1, StepLine); err != nil || stop.Reason != StopLimit || stop.Site.Pos.Line != 9 {
		t.Errorf("the second step gave %+v, %v", stop, err)
	}
	if _, err := g.Step(ctx, 5, StepLine); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("stepping a workgroup that is not there: %v", err)
	}
	buf.Words().Store(0, 1)
	finish(t, ctx, d, g, buf)
}

func TestCancelEndsAPausedDispatch(t *testing.T) {
	ctx, d, g, _ := startStepped(t)
	d.Cancel()
	if _, err := d.Wait(ctx); !errors.Is(err, engine.ErrCanceled) {
		t.Errorf("error %v", err)
	}
	if err := g.Pause(ctx); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("pausing a dispatch that has ended: %v", err)
	}
}

func TestDebuggerNeedsTheDeterministicScheduler(t *testing.T) {
	d, _ := startForever(t, openBackend(t, Options{Parallel: 1}), engine.DispatchConfig{})
	if _, err := d.Attach(); !errors.Is(err, engine.ErrUnsupportedFeature) {
		t.Errorf("attach in parallel mode: %v", err)
	}
	d.Cancel()
	<-d.Done()
}

// atLine is the predicate of a breakpoint: some lane is about to run an instruction of a source line.
func atLine(file string, line int) Predicate {
	return func(w *Workgroup) bool {
		pos := w.Site().Pos
		return pos.Line == line && pos.File == file
	}
}
