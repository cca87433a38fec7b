package repl

import (
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"

	"vyretop/engine/glsl"
)

// Token is a piece of a line, without line ends.
type Token struct {
	Type chroma.TokenType // as Comment, Keyword, KeywordType, NameBuiltin, LiteralNumber, LiteralString
	Text string
}

// Highlight are the tokens of each line of a source. A comment over several lines is one token in each of them.
func Highlight(text string) [][]Token {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	tokens, err := lexer().Tokenise(nil, text)
	if err != nil { // the rules match everything, so this is a fault of theirs
		panic("BUG: highlight: " + err.Error())
	}
	var lines [][]Token
	for _, list := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		var line []Token
		for _, t := range list {
			if s := strings.TrimSuffix(t.Value, "\n"); s != "" {
				line = append(line, Token{t.Type, s})
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// ANSI is a line for a terminal, in the first sixteen colors, which the user's theme chooses.
func ANSI(line []Token) string {
	var out strings.Builder
	for _, t := range line {
		if style, ok := styles[t.Type]; ok {
			out.WriteString(style.Render(t.Text))
			continue
		}
		out.WriteString(t.Text)
	}
	return out.String()
}

var styles = map[chroma.TokenType]lipgloss.Style{
	chroma.Comment:        lipgloss.NewStyle().Foreground(lipgloss.BrightBlack).TabWidth(lipgloss.NoTabConversion),
	chroma.CommentPreproc: lipgloss.NewStyle().Foreground(lipgloss.Yellow).TabWidth(lipgloss.NoTabConversion),
	chroma.Keyword:        lipgloss.NewStyle().Foreground(lipgloss.Magenta),
	chroma.KeywordType:    lipgloss.NewStyle().Foreground(lipgloss.Cyan),
	chroma.NameBuiltin:    lipgloss.NewStyle().Foreground(lipgloss.Blue),
	chroma.LiteralNumber:  lipgloss.NewStyle().Foreground(lipgloss.Green),
	chroma.LiteralString:  lipgloss.NewStyle().Foreground(lipgloss.Green).TabWidth(lipgloss.NoTabConversion),
}

// lexer splits a source by sections 3 and 4 of the GLSL specification, as far as colors need it.
var lexer = sync.OnceValue(func() chroma.Lexer {
	rules := chroma.Rules{"root": {
		{Pattern: `//[^\n]*`, Type: chroma.Comment},
		{Pattern: `(?s)/\*.*?(\*/|\z)`, Type: chroma.Comment},
		{Pattern: `(?m)^[ \t]*#[^\n]*`, Type: chroma.CommentPreproc},
		{Pattern: `(\d+\.\d*|\.\d+)([eE][-+]?\d+)?(lf|LF|[fF])?|\d+[eE][-+]?\d+(lf|LF|[fF])?|0[xX][0-9a-fA-F]+[uU]?|\d+[uU]?`, Type: chroma.LiteralNumber},
		{Pattern: `"(\\.|[^"\\\n])*"?`, Type: chroma.LiteralString}, // of debugf
		{Pattern: `[A-Za-z_]\w*`, Type: chroma.EmitterFunc(word)},
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `.`, Type: chroma.Punctuation},
	}}
	return chroma.MustNewLexer(&chroma.Config{Name: "kernel"}, func() chroma.Rules { return rules })
})

// word is the token of a name.
func word(groups []string, _ *chroma.LexerState) chroma.Iterator {
	kind := map[glsl.WordKind]chroma.TokenType{
		glsl.WordType: chroma.KeywordType, glsl.WordQualifier: chroma.Keyword, glsl.WordStatement: chroma.Keyword, glsl.WordFunction: chroma.NameBuiltin, glsl.WordName: chroma.Name,
	}[glsl.KindOf(groups[0])]
	return chroma.Literator(chroma.Token{Type: kind, Value: groups[0]})
}
