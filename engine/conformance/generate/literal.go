package generate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"vyretop/engine/glsl/tree"
)

// interesting are the words of constants that are neither small nor random.
var interesting = []uint32{0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 31, 32, 0xFF, 0xFFFF, 0x10000, 0x00FFFFFF, 0x55555555}

// floats are the constants of floats that are not random.
var floats = []float32{0, 1, -1, 0.5, 2, -2.5, 0.1, 3, 255, -1000.25, 16777216, 1e-6, 1e10, -3e38, 1.1754944e-38}

// literal writes a constant of any type.
func (g *generator) literal(t *tree.Type) string {
	switch {
	case t.IsScalar():
		return g.scalarLiteral(t.Kind)
	case t.IsVector() && g.t.below(2) == 0:
		return fmt.Sprintf("%s(%s)", t, g.scalarLiteral(t.Kind))
	}
	return g.compose(t, g.literal)
}

// compose writes a constructor of a vector, array or structure, with the parts written by part.
func (g *generator) compose(t *tree.Type, part func(*tree.Type) string) string {
	var parts []string
	switch {
	case t.Class == tree.ClassStruct:
		for _, m := range t.Struct.Members {
			parts = append(parts, part(m.Type))
		}
	case t.IsArray():
		for range t.Len {
			parts = append(parts, part(t.Elem))
		}
	default:
		for range t.Width {
			parts = append(parts, part(t.Element()))
		}
	}
	return fmt.Sprintf("%s(%s)", t, strings.Join(parts, ", "))
}

func (g *generator) scalarLiteral(k tree.Kind) string {
	switch k {
	case tree.KindBool:
		return strconv.FormatBool(g.t.below(2) == 1)
	case tree.KindFloat:
		return g.floatLiteral()
	case tree.KindDouble:
		return doubleLiteral(g)
	case tree.KindInt64, tree.KindUint64:
		return longLiteral(g, k)
	case tree.KindFloat16:
		return "float16_t(" + g.floatLiteral() + ")"
	}
	if k.IsNarrow() {
		return fmt.Sprintf("%s(%s)", k, g.scalarLiteral(k.Wide()))
	}
	w := uint32(g.t.below(8))
	switch g.t.below(4) {
	case 2:
		w = pick(g.t, interesting)
	case 3:
		w = g.t.word()
	}
	if k == tree.KindUint {
		return fmt.Sprintf("%du", w)
	}
	if w == 0x80000000 {
		return "int(0x80000000u)" // its digits alone do not fit an int
	}
	if int32(w) < 0 {
		return fmt.Sprintf("(%d)", int32(w))
	}
	return strconv.Itoa(int(w))
}

func doubleLiteral(g *generator) string {
	switch g.t.below(6) {
	case 4:
		return fmt.Sprintf("packDouble2x32(uvec2(%#xu, %#xu))", g.t.word(), pick(g.t, interesting))
	case 5:
		return fmt.Sprintf("packDouble2x32(uvec2(%#xu, %#xu))", g.t.word(), g.t.word())
	}
	text := strconv.FormatFloat(float64(pick(g.t, floats)), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return "(" + text + "lf)"
}

func longLiteral(g *generator, k tree.Kind) string {
	v := uint64(g.t.below(8))
	switch g.t.below(4) {
	case 2:
		v = uint64(pick(g.t, interesting))<<32 | uint64(pick(g.t, interesting))
	case 3:
		v = uint64(g.t.word())<<32 | uint64(g.t.word())
	}
	switch {
	case k == tree.KindUint64:
		return fmt.Sprintf("%dul", v)
	case int64(v) < 0 && v<<1 != 0:
		return fmt.Sprintf("(%dl)", int64(v))
	}
	return fmt.Sprintf("int64_t(%dul)", v)
}

func (g *generator) floatLiteral() string {
	if g.t.below(6) == 5 {
		return fmt.Sprintf("uintBitsToFloat(%#xu)", g.t.word())
	}
	f := pick(g.t, floats)
	text := strconv.FormatFloat(float64(f), 'g', -1, 32)
	if f == float32(math.Trunc(float64(f))) && !strings.Contains(text, "e") {
		text += ".0"
	}
	if f < 0 {
		return "(" + text + ")"
	}
	return text
}
