package generate

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/conformance"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
)

// FuzzMutant: a kernel with broken text gives diagnostics, or is a kernel after all, which then may do
// undefined things; the front end and the reference neither panic nor hang. The second tape decides for
// the damage.
func FuzzMutant(f *testing.F) {
	for n := range uint64(8) {
		tape := Random(17, n)
		Kernel(tape)
		f.Add(tape.Data(), []byte{byte(n), 1, 200, byte(37 * n), 3, 9})
	}
	b := backendtest.Reference(f, reference.Options{})
	f.Fuzz(func(t *testing.T, tape, damage []byte) { checkMutant(t, b, Kernel(Replay(tape)), Replay(damage)) })
}

// Most damage is found without a fuzzer's patience.
func TestMutantsAreRefusedOrRun(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	refused := 0
	const mutants = 600
	for n := range uint64(mutants) {
		if !checkMutant(t, b, Kernel(Random(19, n/10)), Random(23, n)) {
			refused++
		}
	}
	if refused < mutants/2 || refused > mutants*49/50 {
		t.Errorf("%d of %d mutants were refused: the damage is too great or too small to test much", refused, mutants)
	}
}

var tokens = regexp.MustCompile(`\s+|[A-Za-z_0-9.]+|.`)

// spice are tokens that damage puts in.
var spice = []string{"", "(", ")", "{", "}", ";", ",", "=", "0", "-1", "1e39", "0x", ".", "#define A A\n", "#include <x>\n", "\\\n", "/*", "'", "\x00",
	"void", "struct", "return", "for", "?", ":", "uvec4", "float", "bool", "true", "shared", "inout", "const", "layout", "[", "]", "99999999999", "++", "<<=", "main", "lane", "u", "f"}

// damaged changes one to four tokens of a text.
func damaged(text string, tape *Tape) string {
	list := tokens.FindAllString(text, -1)
	for range 1 + tape.below(4) {
		i := int(tape.word() % uint32(len(list)))
		switch tape.below(4) {
		case 0:
			list[i] = pick(tape, spice)
		case 1:
			list[i] += pick(tape, spice)
		case 2:
			j := (i + 1 + tape.below(12)) % len(list)
			list[i], list[j] = list[j], list[i]
		default:
			list = slices.Delete(list, i, min(len(list), i+1+tape.below(6)))
		}
		if len(list) == 0 {
			return ""
		}
	}
	return strings.Join(list, "")
}

// checkMutant reports whether the damaged kernel compiles.
func checkMutant(t testing.TB, b engine.Backend, c conformance.Case, damage *Tape) bool {
	t.Helper()
	c.Name, c.Text = "mutant", damaged(c.Text, damage)
	p, err := c.Compile()
	if err != nil {
		var ds source.Diagnostics
		if !errors.Is(err, conformance.ErrCase) || !errors.As(err, &ds) || len(ds) == 0 {
			t.Fatalf("no diagnostics: %v\n%s", err, c.Text)
		}
		return false
	}
	runMutant(t, b, &c, p)
	return true
}

// runMutant runs a kernel that may loop for ever and index anything; how it ends is not asked.
func runMutant(t testing.TB, b engine.Backend, c *conformance.Case, p *engine.Program) {
	t.Helper()
	pipeline, err := b.Compile(t.Context(), p)
	if err != nil {
		if !errors.As(err, new(*engine.Error)) {
			t.Fatalf("%v\n%s", err, c.Text)
		}
		return
	}
	defer pipeline.Close()
	var bindings []engine.Binding
	for _, s := range p.Buffers {
		buf, err := b.Allocate(t.Context(), s.Name, max(s.MinWords, 256), engine.HostVisible)
		if err != nil {
			return // larger than memory
		}
		defer buf.Free()
		bindings = append(bindings, engine.Binding{Index: s.Binding, Buffer: buf})
	}
	pending, err := pipeline.Start(t.Context(), bindings, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, IterationBudget: 2000, Timeout: 5 * time.Second})
	if err == nil {
		_, err = pending.Wait(t.Context())
		<-pending.Done()
	}
	if err != nil && !errors.As(err, new(*engine.Error)) {
		t.Fatalf("%v\n%s", err, c.Text)
	}
}
