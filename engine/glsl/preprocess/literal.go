package preprocess

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"vyretop/engine/glsl/source"
)

// operators lists the punctuation of GLSL 4.50 (section 5.1) and ## by first byte, longest first.
var operators = func() (table [256][]string) {
	all := strings.Fields(`<<= >>= << >> ++ -- <= >= == != && || ^^ *= /= %= += -= &= ^= |= ##
		( ) [ ] { } . , : = ; ! - ~ + * / % < > | ^ & ? #`)
	for _, op := range all {
		table[op[0]] = append(table[op[0]], op)
	}
	return table
}()

// scanNumber reads a number (section 4.1.3 and 4.1.4). A number that a letter or digit follows
// directly is malformed and takes them with it.
func scanNumber(s string) (kind source.TokenKind, n int, wrong *source.Diagnostic) {
	var message string
	if len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		kind, n, message = scanHex(s)
	} else {
		kind, n, message = scanDecimal(s)
	}
	if tail := identLen(s[n:]); tail > 0 {
		foreign := foreignSuffix(kind, s[n:n+tail])
		n += tail
		if message == "" && !foreign {
			message = "has letters or digits that belong to no number"
		}
	}
	if message != "" {
		wrong = &source.Diagnostic{
			Construct: "number", Message: "the number " + quoteShort(s[:n]) + " " + message,
			Fix: "write it as 12, 12u, 017, 0x1F, 1.0 or 1.0e3",
		}
	}
	return kind, n, wrong
}

// foreignSuffixes are the ends of numbers that extensions add, after the u of an unsigned one, by the extension.
var foreignSuffixes = map[string]string{"l": "GL_ARB_gpu_shader_int64", "s": ShortExtension, "hf": HalfExtension}

// The extensions that add literals of 16 bits, of integers and of floats.
const (
	ShortExtension = "GL_AMD_gpu_shader_int16"
	HalfExtension  = "GL_AMD_gpu_shader_half_float"
)

// foreignSuffix reports whether an extension gives a number of this kind the suffix.
func foreignSuffix(kind source.TokenKind, suffix string) bool {
	name := foreignSuffixes[strings.ToLower(suffix)]
	return name != "" && (kind == source.FloatLit) == strings.EqualFold(suffix, "hf")
}

// LiteralExtension is the extension that the suffix of a number needs, or "".
func LiteralExtension(t source.Token) string {
	for suffix, extension := range foreignSuffixes {
		if len(t.Text) <= len(suffix) || t.Text[0] == '0' && len(t.Text) > 1 && t.Text[1]|0x20 == 'x' && t.Kind == source.FloatLit {
			continue
		}
		if end := t.Text[len(t.Text)-len(suffix):]; strings.EqualFold(end, suffix) && foreignSuffix(t.Kind, end) {
			return extension
		}
	}
	return ""
}

func scanHex(s string) (kind source.TokenKind, n int, message string) {
	n = len("0x")
	for n < len(s) && (isDigit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'f') {
		n++
	}
	if n == len("0x") {
		return source.IntLit, n, "has no hexadecimal digit"
	}
	kind, n = intSuffix(s, n)
	return kind, n, ""
}

// scanDecimal reads an octal, decimal or floating-point number.
func scanDecimal(s string) (kind source.TokenKind, n int, message string) {
	n = digits(s, 0)
	whole := n
	float := false
	if n < len(s) && s[n] == '.' {
		float = true
		n = digits(s, n+1)
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		float = true
		n++
		if n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		end := digits(s, n)
		if end == n {
			return source.FloatLit, n, "has no digit in its exponent"
		}
		n = end
	}
	if float {
		return source.FloatLit, floatSuffix(s, n), ""
	}
	if s[0] == '0' && strings.ContainsAny(s[:whole], "89") {
		message = "has a digit that is not octal"
	}
	if n < len(s) && s[n]|0x20 == 'f' {
		message = "needs a decimal point or an exponent to be a float"
	}
	kind, n = intSuffix(s, n)
	return kind, n, message
}

func digits(s string, n int) int {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func intSuffix(s string, n int) (source.TokenKind, int) {
	if n < len(s) && s[n]|0x20 == 'u' {
		return source.UintLit, n + 1
	}
	return source.IntLit, n
}

// floatSuffix takes f, F, lf or LF. The last two mean double, which the checker refuses.
func floatSuffix(s string, n int) int {
	switch {
	case strings.HasPrefix(s[n:], "lf"), strings.HasPrefix(s[n:], "LF"):
		return n + 2
	case n < len(s) && s[n]|0x20 == 'f':
		return n + 1
	}
	return n
}

// scanString reads a string literal up to its closing quote, or to the end of the line.
func scanString(s string) (kind source.TokenKind, n int, wrong *source.Diagnostic) {
	for n = 1; n < len(s) && s[n] != '\n'; n++ {
		if s[n] == '\\' && n+1 < len(s) && s[n+1] != '\n' {
			n++
			continue
		}
		if s[n] == '"' {
			return source.String, n + 1, nil
		}
	}
	return source.String, n, &source.Diagnostic{
		Construct: "string", Message: "the string that starts here does not end on its line", Fix: `close it with "`,
	}
}

// unquote gives the text that a string literal stands for. Its escapes are \n \t \" \\; message
// says what is wrong with it, or is empty.
func unquote(literal string) (text, message string) {
	body := literal[1 : len(literal)-1]
	if !utf8.ValidString(body) {
		return "", "the string is not valid UTF-8"
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c < ' ' || c == 0x7F {
			return "", "the string holds the control character " + quoteShort(body[i:i+1])
		}
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		i++
		at := strings.IndexByte(`nt"\`, body[i])
		if at < 0 {
			return "", "the string holds the unknown escape " + quoteShort(body[i-1:i+1])
		}
		b.WriteByte("\n\t\"\\"[at])
	}
	return b.String(), ""
}

// quoteShort quotes source text for a message and cuts it when it is long.
func quoteShort(s string) string {
	const limit = 40
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "…"
	}
	return strconv.Quote(s)
}
