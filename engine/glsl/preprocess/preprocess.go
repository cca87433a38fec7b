// Package preprocess turns one kernel text and the files it includes into the token stream that
// the parser reads, and renders that same stream as the text a driver compiles.
//
// It owns the lexer, the GLSL 4.50 preprocessor (specification section 3.3, and the C preprocessor
// where that section refers to it), the project's own #include and debugf, and the loop guard.
// Because both the parser and the driver get the tokens of one Result, they see one program.
//
// What is the project's own, beyond GLSL:
//
//	#include "name", <name>   the text of another file, found by Options.Resolver
//	#pragma once              in an included file: it is read once
//	debugf("text %u", a)      a debug-log record with up to four values; see Result.Formats
//	loop guard                a call that loop conditions of chosen files evaluate first
//
// Where this preprocessor takes more than glslang does: a function-like macro with one parameter
// may be called with an empty argument, ## may paste any two tokens that form one token, the
// operands that && and || do not need are not evaluated, a group that is skipped may hold any
// text, and __LINE__, __FILE__ and __VERSION__ count as defined. Where it takes less: a ## at an
// end of a macro's body, and a predefined macro defined again. #if arithmetic is 32 bits
// wide, and an unknown name in it is 0, with a warning. Extensions define no macros.
//
// A token of a macro's body has the position where the macro is used (the outermost one, and
// Pos.Macro names it); a token of a macro's argument keeps its own position in the source.
package preprocess

import (
	"cmp"
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
)

// maxDiagnostics is the error at which a run gives up, and bounds the warnings that it reports.
const maxDiagnostics = 50

// bytesOfToken is how many bytes of usual text there are to a token, blanks and comments included.
const bytesOfToken = 5

// Run preprocesses f and everything that it includes. The Result is never nil and its Tokens
// always end with EOF; it is fit for parsing and Emit when the diagnostics hold no error. The
// diagnostics are ordered by file, in the order of Result.Files, and by place in it.
func Run(f *source.File, o Options) (*Result, source.Diagnostics) {
	p := newProcessor(o)
	p.res.Tokens = make([]source.Token, 0, min(len(f.Text)/bytesOfToken, p.o.MaxTokens)+1)
	p.predefine()
	if p.enter(f) {
		p.text()
	}
	p.finish()
	p.sortDiagnostics()
	return p.res, p.diags
}

// processor is the state of one Run. It is the file-level tokenSource: the tokens of the current
// file with directives carried out.
type processor struct {
	o       Options
	res     *Result
	diags   source.Diagnostics
	errors  int // errors in diags
	macros  map[string]*macro
	once    map[string]bool // files that said #pragma once
	files   map[string]int  // indices in res.Files
	formats map[string]int  // indices in res.Formats
	frames  []*frame        // files being read, innermost last
	held    []token         // raw tokens given back by unraw
	loops   []int           // indices in res.Tokens of loop keywords that want a guard
	work    int             // tokens produced so far, against Options.MaxTokens
	bytes   int             // source read so far, against Options.MaxBytes
	depth   int             // nesting of macro arguments being expanded
	began   bool            // something other than comments was met: too late for #version
	stopped bool            // a limit was hit: every source is at its end
}

// frame is one file being read.
type frame struct {
	lex   *lexer
	file  *source.File
	conds []conditional
}

func newProcessor(o Options) *processor {
	p := &processor{
		o:       o.withDefaults(),
		res:     &Result{formatIDs: map[string]int{}},
		macros:  map[string]*macro{},
		once:    map[string]bool{},
		files:   map[string]int{},
		formats: map[string]int{},
	}
	if o.Record {
		p.res.Record = &Record{}
	}
	for i, text := range o.Formats {
		p.formats[text] = i
	}
	p.res.Formats = append(p.res.Formats, o.Formats...)
	for _, name := range o.Files {
		p.fileIndex(name)
	}
	p.macros["__LINE__"] = &macro{name: "__LINE__", builtin: (*processor).lineMacro}
	p.macros["__FILE__"] = &macro{name: "__FILE__", builtin: (*processor).fileMacro}
	p.macros["__VERSION__"] = &macro{name: "__VERSION__", builtin: (*processor).versionMacro}
	p.macros["GL_FRAGMENT_PRECISION_HIGH"] = one("GL_FRAGMENT_PRECISION_HIGH")
	return p
}

// text moves the fully expanded tokens to the result.
func (p *processor) text() {
	e := &expander{p: p, src: p}
	for {
		t := e.next()
		if t.Kind == source.EOF {
			p.res.Tokens = append(p.res.Tokens, t.Token)
			return
		}
		if !p.sound(t) {
			continue
		}
		if t.is("#") || t.is("##") {
			p.errorf(t.Pos, t.Text, "begin a line with it, or remove it", "%s stands where no directive can begin", t.Text)
			continue
		}
		if t.guard && t.Kind == source.Ident && (t.Text == "for" || t.Text == "while") {
			p.loops = append(p.loops, len(p.res.Tokens))
		}
		p.res.Tokens = append(p.res.Tokens, t.Token)
	}
}

// finish completes the token stream: EOF even after an early stop, loop guards, debugf.
func (p *processor) finish() {
	if n := len(p.res.Tokens); n == 0 || p.res.Tokens[n-1].Kind != source.EOF {
		p.res.Tokens = append(p.res.Tokens, source.Token{Kind: source.EOF})
	}
	p.guardLoops()
	p.checkDebugf()
}

// sound reports whether t may be used, and reports the lexer's problem with it if not.
func (p *processor) sound(t token) bool {
	if t.problem == nil {
		return true
	}
	p.report(*t.problem)
	return false
}

// report adds a diagnostic once. Too many errors end the run, too many warnings are left out, and
// what is found after the end of the run is only its consequence.
func (p *processor) report(d source.Diagnostic) {
	if p.stopped {
		return
	}
	for _, have := range p.diags {
		if have.Pos == d.Pos && have.Message == d.Message {
			return
		}
	}
	if d.Severity == source.Error {
		p.errors++
		p.stopped = p.stopped || p.errors == maxDiagnostics
	} else if len(p.diags)-p.errors >= maxDiagnostics {
		return
	}
	p.diags = append(p.diags, d)
}

// errorf reports an error at pos about construct.
func (p *processor) errorf(pos source.Pos, construct, fix, format string, args ...any) {
	p.report(source.Diagnostic{
		Pos: pos, Construct: construct, Message: fmt.Sprintf(format, args...), Fix: fix,
	})
}

// warnf reports something legal that was probably not meant.
func (p *processor) warnf(pos source.Pos, construct, fix, format string, args ...any) {
	p.report(source.Diagnostic{
		Pos: pos, Severity: source.Warning, Kind: source.Suspicious, Construct: construct,
		Message: fmt.Sprintf(format, args...), Fix: fix,
	})
}

// sortDiagnostics brings what several passes reported into one order.
func (p *processor) sortDiagnostics() {
	slices.SortStableFunc(p.diags, func(a, b source.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(p.files[a.Pos.File], p.files[b.Pos.File]),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

// spend counts n tokens of work and stops the run when there were too many.
func (p *processor) spend(n int, pos source.Pos) {
	p.work += n
	if p.work > p.o.MaxTokens && !p.stopped {
		p.errorf(pos, LimitTokens, "split the work over several kernels, or look for macros and includes that multiply each other",
			"the text and what it expands to have more than %d tokens", p.o.MaxTokens)
		p.stopped = true
	}
}
