package reference

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
)

// randomLanes is the workgroup size of random kernels: more than one mask word, and not a full one.
const randomLanes = 70

// lane is the state of one call in one invocation of a random kernel: three parameters and a global.
type lane struct{ v [4]uint32 }

// outcome says how a statement ended for a lane.
type outcome uint8

const (
	goesOn outcome = iota
	broke
	continued
	returned
)

// expr and stmt are a piece of a random kernel: its GLSL, and what it does to one lane alone. So a lane
// by itself, in Go, is compared with all of them in lockstep.
type expr struct {
	text string
	eval func(*lane) uint32
}

type stmt struct {
	text string
	run  func(*lane) outcome
}

type maker struct {
	t       *rapid.T
	loops   int    // loops made so far; each has a counter of its own name
	result  string // what return returns here
	helpers []stmt // functions that may be called
	text    strings.Builder
}

func (m *maker) pick(n int) int { return rapid.IntRange(0, n-1).Draw(m.t, "pick") }

func (m *maker) expr(depth int) expr {
	if depth == 0 || m.pick(5) == 0 {
		if m.pick(3) == 0 {
			k := rapid.SampledFrom([]uint32{0, 1, 2, 3, 5, 31, 0x80000000, 0xFFFFFFFF}).Draw(m.t, "constant")
			return expr{fmt.Sprintf("%du", k), func(*lane) uint32 { return k }}
		}
		i := m.pick(4)
		return expr{fmt.Sprintf("v%d", i), func(l *lane) uint32 { return l.v[i] }}
	}
	switch m.pick(12) {
	case 3:
		return m.call(depth)
	case 0:
		c, x, y := m.cond(depth-1), m.expr(depth-1), m.expr(depth-1)
		return expr{fmt.Sprintf("(%s ? %s : %s)", c.text, x.text, y.text), func(l *lane) uint32 {
			if c.eval(l) != 0 {
				return x.eval(l)
			}
			return y.eval(l)
		}}
	case 1:
		i := m.pick(4)
		return expr{fmt.Sprintf("(v%d++)", i), func(l *lane) uint32 { l.v[i]++; return l.v[i] - 1 }}
	case 2:
		i, x := m.pick(4), m.expr(depth-1)
		return expr{fmt.Sprintf("(v%d += %s)", i, x.text), func(l *lane) uint32 {
			old := l.v[i]
			l.v[i] = old + x.eval(l)
			return l.v[i]
		}}
	default:
		return m.binary(depth)
	}
}

// helper makes a function of an in, an inout and an out parameter, called v0 to v2 like everything else.
func (m *maker) helper() {
	m.result = " v0"
	body := m.block(2, false)
	m.result = ""
	fmt.Fprintf(&m.text, "uint h%d(uint v0, inout uint v1, out uint v2) { v2 = 0u; %s return v0; }\n", len(m.helpers), body.text)
	m.helpers = append(m.helpers, body)
}

// call calls a helper; its copies go back from left to right, after the global has changed.
func (m *maker) call(depth int) expr {
	x, both, out := m.expr(depth-1), m.pick(4), m.pick(4)
	if len(m.helpers) == 0 {
		return x
	}
	which := m.pick(len(m.helpers))
	body := m.helpers[which]
	return expr{fmt.Sprintf("h%d(%s, v%d, v%d)", which, x.text, both, out), func(l *lane) uint32 {
		inner := lane{[4]uint32{x.eval(l)}}
		inner.v[1], inner.v[3] = l.v[both], l.v[3]
		body.run(&inner)
		l.v[3] = inner.v[3]
		l.v[both] = inner.v[1]
		l.v[out] = inner.v[2]
		return inner.v[0]
	}}
}

var randomOperators = []struct {
	text string
	eval func(a, b uint32) uint32
}{
	{"+", func(a, b uint32) uint32 { return a + b }},
	{"-", func(a, b uint32) uint32 { return a - b }},
	{"*", func(a, b uint32) uint32 { return a * b }},
	{"/", func(a, b uint32) uint32 {
		if b == 0 {
			return 0
		}
		return a / b
	}},
	{"%", func(a, b uint32) uint32 {
		if b == 0 {
			return 0
		}
		return a % b
	}},
	{"&", func(a, b uint32) uint32 { return a & b }},
	{"|", func(a, b uint32) uint32 { return a | b }},
	{"^", func(a, b uint32) uint32 { return a ^ b }},
	{"<<", func(a, b uint32) uint32 { return a << (b & 31) }},
	{">>", func(a, b uint32) uint32 { return a >> (b & 31) }},
}

func (m *maker) binary(depth int) expr {
	op := randomOperators[m.pick(len(randomOperators))]
	x, y := m.expr(depth-1), m.expr(depth-1)
	return expr{fmt.Sprintf("(%s %s %s)", x.text, op.text, y.text), func(l *lane) uint32 {
		a := x.eval(l)
		return op.eval(a, y.eval(l))
	}}
}

func (m *maker) cond(depth int) expr {
	if depth > 0 && m.pick(3) == 0 {
		x, y := m.cond(depth-1), m.cond(depth-1)
		if m.pick(2) == 0 {
			return expr{fmt.Sprintf("(%s && %s)", x.text, y.text), func(l *lane) uint32 { return is(x.eval(l) != 0 && y.eval(l) != 0) }}
		}
		return expr{fmt.Sprintf("(%s || %s)", x.text, y.text), func(l *lane) uint32 { return is(x.eval(l) != 0 || y.eval(l) != 0) }}
	}
	x, y := m.expr(depth), m.expr(depth)
	return expr{fmt.Sprintf("(%s < %s)", x.text, y.text), func(l *lane) uint32 {
		a := x.eval(l)
		return is(a < y.eval(l))
	}}
}

func (m *maker) block(depth int, inLoop bool) stmt {
	var list []stmt
	var text strings.Builder
	for range 1 + m.pick(3) {
		s := m.stmt(depth, inLoop)
		list = append(list, s)
		text.WriteString(s.text)
	}
	return stmt{"{" + text.String() + "}", func(l *lane) outcome {
		for _, s := range list {
			if o := s.run(l); o != goesOn {
				return o
			}
		}
		return goesOn
	}}
}

func (m *maker) stmt(depth int, inLoop bool) stmt {
	if depth == 0 {
		return m.assign()
	}
	switch m.pick(7) {
	case 0, 1:
		return m.ifStmt(depth, inLoop)
	case 2:
		return m.loop(depth)
	case 3:
		return m.switchStmt(depth, inLoop)
	case 4:
		return m.leave(inLoop)
	default:
		return m.assign()
	}
}

func (m *maker) assign() stmt {
	i, x := m.pick(4), m.expr(3)
	return stmt{fmt.Sprintf("v%d = %s;\n", i, x.text), func(l *lane) outcome { l.v[i] = x.eval(l); return goesOn }}
}

func (m *maker) ifStmt(depth int, inLoop bool) stmt {
	c, yes, no := m.cond(1), m.block(depth-1, inLoop), m.block(depth-1, inLoop)
	return stmt{fmt.Sprintf("if (%s) %s else %s\n", c.text, yes.text, no.text), func(l *lane) outcome {
		if c.eval(l) != 0 {
			return yes.run(l)
		}
		return no.run(l)
	}}
}

// leave ends the lane's part if a condition holds.
func (m *maker) leave(inLoop bool) stmt {
	word, end := "return"+m.result, returned
	if inLoop && m.pick(4) != 0 {
		word, end = "break", broke
		if m.pick(2) == 0 {
			word, end = "continue", continued
		}
	}
	c := m.cond(1)
	return stmt{fmt.Sprintf("if (%s) %s;\n", c.text, word), func(l *lane) outcome {
		if c.eval(l) != 0 {
			return end
		}
		return goesOn
	}}
}

func (m *maker) loop(depth int) stmt {
	name := fmt.Sprintf("k%d", m.loops)
	m.loops++
	limit, body := m.expr(1), m.block(depth-1, true)
	text := fmt.Sprintf("for (uint %s = 0u; %s < ((%s) & 3u); %s++) %s\n", name, name, limit.text, name, body.text)
	if m.pick(2) == 0 {
		text = fmt.Sprintf("{ uint %s = 0u; do { if (%s++ >= ((%s) & 3u)) break; %s } while (true); }\n", name, name, limit.text, body.text)
	}
	return stmt{text, func(l *lane) outcome {
		for k := uint32(0); k < limit.eval(l)&3; k++ {
			switch body.run(l) {
			case broke:
				return goesOn
			case returned:
				return returned
			}
		}
		return goesOn
	}}
}

func (m *maker) switchStmt(depth int, inLoop bool) stmt {
	tag, bodies := m.expr(1), [3]stmt{}
	for i := range bodies {
		bodies[i] = m.block(depth-1, false)
	}
	fall := m.pick(2) == 0
	end := "break;"
	if fall {
		end = ""
	}
	text := fmt.Sprintf("switch ((%s) & 3u) { case 0u: %s %s default: %s %s case 2u: %s }\n",
		tag.text, bodies[0].text, end, bodies[1].text, end, bodies[2].text)
	return stmt{text, func(l *lane) outcome {
		first := map[uint32]int{0: 0, 1: 1, 2: 2, 3: 1}[tag.eval(l)&3]
		for i := first; i < 3; i++ {
			if o := bodies[i].run(l); o != goesOn || !fall {
				return o
			}
		}
		return goesOn
	}}
}

func (m *maker) kernel(body stmt) string {
	return fmt.Sprintf(`#version 450
layout(local_size_x = %d) in;
layout(std430, binding = 0) buffer B { uvec4 r[]; };
uint v3;
%svoid body(inout uint v0, inout uint v1, inout uint v2) %s
void main() {
  uvec4 v = r[gl_LocalInvocationIndex];
  v3 = v.w;
  body(v.x, v.y, v.z);
  r[gl_LocalInvocationIndex] = uvec4(v.xyz, v3);
}
`, randomLanes, &m.text, body.text)
}

// Lanes in lockstep must do what each would do alone.
func TestLockstepEqualsEachLaneAlone(t *testing.T) {
	b := openBackend(t, Options{})
	rapid.Check(t, func(rt *rapid.T) {
		m := &maker{t: rt}
		for range m.pick(3) {
			m.helper()
		}
		body := m.block(3, false)
		words := rapid.SliceOfN(rapid.Uint32(), 4*randomLanes, 4*randomLanes).Draw(rt, "words")
		text := m.kernel(body)
		out, _, err := dispatch(t, compileText(t, b, "random.comp", text), engine.DispatchConfig{}, words)
		if err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
		for i := range randomLanes {
			l := lane{[4]uint32(words[4*i:])}
			body.run(&l)
			if got := [4]uint32(out[0][4*i:]); got != l.v {
				rt.Fatalf("lane %d: got %v, want %v\n%s", i, got, l.v, text)
			}
		}
	})
}
