package glsl

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// literal gives the value of a number (GLSL 4.50 section 4.1.3 and 4.1.4). An int literal may use
// all 32 bits: 0xFFFFFFFF is -1.
func (p *parser) literal(t source.Token) tree.Expr {
	extension := preprocess.LiteralExtension(t)
	switch {
	case p.int64 && extension == int64Extensions[0]:
		return int64Literal(p, t)
	case extension == preprocess.HalfExtension && p.narrow[tree.KindFloat16]:
		p.noted.narrow = true
		half := p.floatLiteral(source.Token{Kind: t.Kind, Pos: t.Pos, Text: t.Text[:len(t.Text)-len("hf")]})
		return convertKind(half, tree.KindFloat16, false)
	case extension == preprocess.ShortExtension && p.narrow[tree.KindInt16]:
		return shortLiteral(p, t)
	}
	if extension != "" {
		p.outside(t.Pos, t.Text, "write it without the suffix", "the literal %s needs the extension %s, which is outside the kernel language", t.Text, extension)
		return broken(t.Pos)
	}
	if t.Kind == source.FloatLit {
		return p.floatLiteral(t)
	}
	typ, text := tree.Int, t.Text
	if t.Kind == source.UintLit {
		typ, text = tree.Uint, strings.TrimRight(text, "uU")
	}
	v, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		why := "is not a number"
		if errors.Is(err, strconv.ErrRange) {
			why = "needs more than 32 bits"
		}
		p.malformed(t.Pos, t.Text, "use a number from 0 to 4294967295", "the literal %s %s", t.Text, why)
		return broken(t.Pos)
	}
	return &tree.Const{Node: tree.Node{T: typ, At: t.Pos}, Bits: []uint32{uint32(v)}}
}

// floatLiteral rounds to the nearest float; a number that is too large becomes infinite, as in
// drivers.
func (p *parser) floatLiteral(t source.Token) tree.Expr {
	lower := strings.ToLower(t.Text)
	if text, double := strings.CutSuffix(lower, "lf"); double {
		return doubleLiteral(p, t, text)
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(lower, "f"), 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		p.malformed(t.Pos, t.Text, "write digits, a decimal point or an exponent", "the literal %s is not a number", t.Text)
		return broken(t.Pos)
	}
	return &tree.Const{Node: tree.Node{T: tree.Float, At: t.Pos}, Bits: []uint32{math.Float32bits(float32(v))}}
}

// doubleLiteral rounds to the nearest double.
func doubleLiteral(p *parser, t source.Token, text string) tree.Expr {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		p.malformed(t.Pos, t.Text, "write digits, a decimal point or an exponent", "the literal %s is not a number", t.Text)
		return broken(t.Pos)
	}
	return &tree.Const{Node: tree.Node{T: tree.Double, At: t.Pos}, Bits: tree.Split(math.Float64bits(v))}
}

// shortLiteral gives the value of an integer with the suffix s or us, which may use all 16 bits.
func shortLiteral(p *parser, t source.Token) tree.Expr {
	p.noted.narrow = true
	kind, text := tree.KindInt16, strings.TrimRight(t.Text, "sS")
	if t.Kind == source.UintLit {
		kind, text = tree.KindUint16, strings.TrimRight(text, "uU")
	}
	v, err := strconv.ParseUint(text, 0, 16)
	if err != nil {
		p.malformed(t.Pos, t.Text, "use a number from 0 to 65535", "the literal %s needs more than 16 bits", t.Text)
		return broken(t.Pos)
	}
	number := &tree.Const{Node: tree.Node{T: tree.Uint, At: t.Pos}, Bits: []uint32{uint32(v)}}
	return convertKind(number, kind, false)
}

// int64Literal gives the value of an integer with the suffix l or ul, which may use all 64 bits.
func int64Literal(p *parser, t source.Token) tree.Expr {
	need(p, int64Extensions[0])
	typ, text := tree.Int64, strings.TrimRight(t.Text, "lL")
	if t.Kind == source.UintLit {
		typ, text = tree.Uint64, strings.TrimRight(text, "uU")
	}
	v, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		p.malformed(t.Pos, t.Text, "use a number from 0 to 18446744073709551615", "the literal %s needs more than 64 bits", t.Text)
		return broken(t.Pos)
	}
	return &tree.Const{Node: tree.Node{T: typ, At: t.Pos}, Bits: tree.Split(v)}
}
