package preprocess

import "vyretop/engine/glsl/source"

// maxDebugfValues is how many values one debug-log record carries.
const maxDebugfValues = 4

// isDebugf reports whether debugf ( "…" begins at token i. The tokens end with EOF.
func isDebugf(toks []source.Token, i int) bool {
	return toks[i].Kind == source.Ident && toks[i].Text == "debugf" &&
		toks[i+1].Is("(") && toks[i+2].Kind == source.String
}

// checkDebugf checks every debugf call, interns its format, and reports strings elsewhere.
func (p *processor) checkDebugf() {
	toks := p.res.Tokens
	for i, t := range toks {
		switch {
		case t.Kind == source.Ident && t.Text == "debugf":
			if !toks[i+1].Is("(") || toks[i+2].Kind != source.String {
				p.errorf(t.Pos, "debugf", `write debugf("text %u", value)`, "debugf needs a format in quotes first")
				continue
			}
			p.intern(toks[i+2])
			if n := debugfValues(toks, i); n > maxDebugfValues {
				p.errorf(t.Pos, "debugf", "split it into several calls",
					"debugf takes at most %d values but gets %d", maxDebugfValues, n)
			}
		case t.Kind == source.String && (i < 2 || !isDebugf(toks, i-2)):
			p.errorf(t.Pos, "string", "use strings as the format of debugf only", "a string stands where none is allowed")
		}
	}
}

// intern gives the format in a string token its id.
func (p *processor) intern(literal source.Token) {
	if _, ok := p.res.formatIDs[literal.Text]; ok {
		return
	}
	text, wrong := unquote(literal.Text)
	if wrong != "" {
		p.errorf(literal.Pos, "debugf", `use UTF-8 text and the escapes \n \t \" \\`, "%s", wrong)
		return
	}
	id, known := p.formats[text] // by another spelling of the same text
	if !known {
		id = len(p.res.Formats)
		p.formats[text] = id
		p.res.Formats = append(p.res.Formats, text)
	}
	p.res.formatIDs[literal.Text] = id
}

// debugfValues counts the values of the call whose debugf is token i. A call that does not end
// before the next debugf counts as having none; the parser refuses it.
func debugfValues(toks []source.Token, i int) int {
	depth, values := 0, 0
	for j := i + 3; toks[j].Kind != source.EOF; j++ {
		switch t := toks[j]; {
		case t.Is("debugf"):
			return 0
		case t.Is("("), t.Is("["):
			depth++
		case t.Is(")") && depth == 0:
			return values
		case t.Is(")"), t.Is("]"):
			depth--
		case t.Is(",") && depth == 0:
			values++
		}
	}
	return 0
}
