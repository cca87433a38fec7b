package preprocess

import (
	"cmp"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
)

// enter begins to read f; false when a limit forbids it.
func (p *processor) enter(f *source.File) bool {
	p.bytes += len(f.Text)
	if p.bytes > p.o.MaxBytes {
		p.errorf(source.Pos{File: f.Name, Line: 1, Col: 1}, LimitBytes, "split the work over several kernels",
			"with %s the kernel has more than %d bytes of source", f.Name, p.o.MaxBytes)
		p.stopped = true
		return false
	}
	lex := newLexer(f, p.report)
	lex.guard = p.o.GuardLoops != nil && p.o.GuardLoops(f.Name)
	p.fileIndex(f.Name)
	p.res.Tokens = slices.Grow(p.res.Tokens, max(0, min(len(f.Text)/bytesOfToken, p.o.MaxTokens-len(p.res.Tokens))))
	p.frames = append(p.frames, &frame{lex: lex, file: f})
	return true
}

// leave goes back to the file that included the current one; false at the end of the main file.
func (p *processor) leave() bool {
	for _, c := range p.frame().conds {
		p.errorf(c.at, "#if", "add #endif", "the conditional that starts here has no #endif in its file")
	}
	p.frame().conds = nil
	if len(p.frames) == 1 {
		return false
	}
	p.frames = p.frames[:len(p.frames)-1]
	return true
}

// includeDirective carries out #include "name" and #include <name>.
func (p *processor) includeDirective(at source.Pos) {
	name, ok := p.includeName(at)
	if !ok {
		return
	}
	if len(p.frames) >= p.o.MaxIncludeDepth {
		p.errorf(at, LimitIncludeDepth, "look for files that include each other; #pragma once ends that",
			"including %s makes more than %d files open at once", quoteShort(name), p.o.MaxIncludeDepth)
		p.stopped = true
		return
	}
	if p.o.Resolver == nil {
		p.errorf(at, "#include", "put the text into the kernel itself",
			"%s cannot be included: this kernel takes no includes", quoteShort(name))
		return
	}
	f, err := p.o.Resolver.Resolve(name, p.frame().file.Name)
	if err != nil {
		text, fix := fault.Parts(err)
		p.errorf(at, "#include", cmp.Or(fix, "correct the name of the file"), "%s", text)
		return
	}
	p.res.Record.include(at, f.Name)
	if !p.once[f.Name] {
		p.enter(f)
	}
}

// includeName reads the rest of an #include line.
func (p *processor) includeName(at source.Pos) (name string, ok bool) {
	lex := p.lex()
	if lex.skipBlank(false); lex.off < len(lex.text) && lex.text[lex.off] == '<' {
		text, _, _ := strings.Cut(lex.text[lex.off+1:], "\n")
		if name, _, ok = strings.Cut(text, ">"); ok {
			lex.off += len("<") + len(name) + len(">")
		}
	} else if t, found := lex.nextInLine(); found && t.Kind == source.String && t.problem == nil {
		name, ok = t.Text[1:len(t.Text)-1], true
	}
	rest := lex.rest()
	if !ok || name == "" {
		p.errorf(at, "#include", `write it as #include "name" or #include <name>`, "#include needs the name of a file")
		return "", false
	}
	p.lineEnds("#include", rest)
	return name, true
}

// fileIndex gives the number of a file name, adding it to Result.Files when it is new.
func (p *processor) fileIndex(name string) int {
	i, known := p.files[name]
	if !known {
		i = len(p.res.Files)
		p.files[name] = i
		p.res.Files = append(p.res.Files, name)
	}
	return i
}
