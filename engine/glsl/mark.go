package glsl

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Mark asks for a statement in front of the first one that begins on a line. Only Unit.Program has it, not Unit.Text.
type Mark struct {
	File string // by source.File.Name
	Line int
	// Statement is what is put there. It names what is declared before the line's function, and Placeholder where the
	// condition belongs.
	Statement string
	Condition string // an expression of type bool, in the scope of the line, without effects; "" for true
}

// Placeholder stands for the condition in the statement of a Mark.
const Placeholder = "CONDITION"

// noted is what a parser keeps of statements and functions for the end of the text.
type noted struct {
	narrow       bool               // a type of 8 or 16 bits is used
	gridBarriers []source.Pos       // calls of gridBarrier
	marks        []bool             // by mark: it is set
	marked       map[tree.Stmt]bool // statements of marks
	copying      copying
}

// marked parses the statements that marks put in front of the current one, in the order of the marks.
func marked(p *parser) (list []tree.Stmt) {
	if len(p.opts.Marks) == 0 || p.is("{") || p.eof() {
		return nil
	}
	if p.noted.marks == nil {
		p.noted.marks, p.noted.marked = make([]bool, len(p.opts.Marks)), map[tree.Stmt]bool{}
	}
	pos := p.pos()
	for i, m := range p.opts.Marks {
		if !p.noted.marks[i] && m.File == pos.File && m.Line == pos.Line {
			p.noted.marks[i] = true
			s := parseMark(p, m, pos)
			p.noted.marked[s] = true
			list = append(list, s)
		}
	}
	return list
}

// withMarks parses a statement that another one controls, with the marks in front of it.
func withMarks(p *parser) tree.Stmt {
	before := marked(p)
	s := p.statement()
	if len(before) == 0 {
		return s
	}
	return &tree.Block{Span: tree.Span{From: s.Pos(), To: s.End()}, List: append(before, s)}
}

// parseMark parses the statement of a mark at a place.
func parseMark(p *parser, m Mark, at source.Pos) tree.Stmt {
	var out tree.Stmt = &tree.Empty{Span: tree.Span{From: at, To: at}}
	condition := "true"
	if m.Condition != "" {
		condition = "(" + m.Condition + ")"
		errors := p.errors
		apart(p, m.Condition, at, func() { checkMark(p, m.Condition, p.expression()) })
		if p.errors > errors {
			return out
		}
	}
	apart(p, strings.ReplaceAll(m.Statement, Placeholder, condition), at, func() { out = p.anyStatement() })
	return out
}

// checkMark checks the condition of a mark, which was parsed.
func checkMark(p *parser, text string, x tree.Expr) {
	switch {
	case p.recovering || anyBroken(x):
	case x.Type() != tree.Bool:
		p.malformed(x.Pos(), "condition", "write a comparison, such as i == 5u", "the condition %q is of type %v", text, x.Type())
	case !isPure(x):
		p.malformed(x.Pos(), "condition", "read values only", "the condition %q assigns a value or calls a function of the kernel", text)
	}
}

// apart has parse read a text of its own, all of it, in the current scope. Its tokens are at a place of the kernel's text.
func apart(p *parser, text string, at source.Pos, parse func()) {
	pre, diags := preprocess.Run(&source.File{Name: "condition", Text: text}, preprocess.Options{})
	if errs := diags.Errors(); len(errs) > 0 {
		p.malformed(at, "condition", "write an expression of the kernel language", "%s", errs[0].Message)
		return
	}
	toks := slices.Clone(pre.Tokens)
	for i := range toks {
		toks[i].Pos, toks[i].Inserted = at, true
	}
	kept, from := p.toks, p.at
	p.toks, p.at = toks, 0
	parse()
	if !p.eof() {
		p.syntax(at, p.tok().Text, "unexpected %s after %q", describe(p.tok()), text)
	}
	p.toks, p.at, p.recovering = kept, from, p.failed
}

// checkMarks reports the marks of lines where no statement begins.
func checkMarks(p *parser) {
	for i, m := range p.opts.Marks {
		if p.noted.marks == nil || !p.noted.marks[i] {
			p.malformed(source.Pos{File: m.File, Line: m.Line, Col: 1}, "line", "choose a line on which a statement begins", "%s", fmt.Sprintf("no statement begins on line %d of %s", m.Line, m.File))
		}
	}
}

// StatementLines lists the lines of a file on which a statement begins that can be marked, in order, each once.
func StatementLines(t *tree.Program, file string) (lines []int) {
	for _, f := range t.Functions {
		if f.Body == nil || f.Pos.File != file {
			continue
		}
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			if _, block := s.(*tree.Block); !block && s.Pos().File == file {
				lines = append(lines, s.Pos().Line)
			}
		})
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
