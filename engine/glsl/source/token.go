package source

// TokenKind classifies a Token after preprocessing.
type TokenKind uint8

// The kinds of a Token. Keywords arrive as Ident; the parser knows which words are keywords.
const (
	EOF      TokenKind = iota
	Ident              // identifier or keyword
	IntLit             // 12, 0x1F, 017
	UintLit            // 12u
	FloatLit           // 1.0, 1e3, .5f
	Punct              // operator or punctuation, longest match: "<<=", "&&", "(" …
	String             // "…" with the quotes; only debugf may use one
)

// Token is one preprocessed token. Text is exactly as written (after macro expansion).
type Token struct {
	Kind TokenKind
	Text string
	Pos  Pos

	Inserted bool // by the preprocessor, as the guard of a loop
}

// Is reports whether the token is the given punctuation or identifier text.
func (t Token) Is(text string) bool {
	return (t.Kind == Punct || t.Kind == Ident) && t.Text == text
}
