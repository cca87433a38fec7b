package preprocess

import "vyretop/engine/glsl/source"

// Options says how Run preprocesses. The zero value takes no includes and adds no guards.
type Options struct {
	Resolver Resolver // finds included files; nil makes every #include an error
	Defines  []Define // macros defined before the first line, as by -D
	// Supported are extensions whose macros are 1 from the first line on.
	Supported []string

	// GuardLoops chooses the files (by source.File.Name) whose loops evaluate GuardCall first in
	// their condition. nil chooses none. A loop that a macro produces belongs to the file
	// in which the outermost macro is used.
	GuardLoops func(file string) bool
	GuardCall  string // a bool expression; "vt_tick()" when empty
	// BarrierGuardCall takes its place in loops in whose body the word barrier stands. All invocations
	// of a workgroup go through such a loop together, and so must leave it.
	BarrierGuardCall string // GuardCall when empty

	Record bool // fill Result.Record

	// Formats and Files are entries that Result's lists of these names begin with: numbers of theirs are in use already.
	Formats, Files []string

	MaxIncludeDepth int // files open at once, the main file included; 64 when 0
	MaxTokens       int // tokens read and expanded in all; DefaultTokens when 0
	MaxBytes        int // bytes of source read in all; DefaultBytes when 0
}

// The limits of a text whose Options name none. The front end takes up to 500 bytes for a token and 16 for a line, so these
// keep it below 256 MiB, its garbage included.
const (
	DefaultTokens = 1 << 18
	DefaultBytes  = 4 << 20
)

// The Construct of the diagnostics about the limits in Options.
const (
	LimitIncludeDepth = "include depth limit"
	LimitTokens       = "token limit"
	LimitBytes        = "source size limit"
	LimitNesting      = "nesting limit"
)

// maxNesting bounds nested macro arguments and parentheses in #if expressions.
const maxNesting = 200

func (o Options) withDefaults() Options {
	if o.GuardCall == "" {
		o.GuardCall = "vt_tick()"
	}
	if o.BarrierGuardCall == "" {
		o.BarrierGuardCall = o.GuardCall
	}
	if o.MaxIncludeDepth == 0 {
		o.MaxIncludeDepth = 64
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = DefaultTokens
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultBytes
	}
	if o.Resolver != nil {
		o.Resolver = readOnce{o.Resolver, map[inclusion]*source.File{}}
	}
	return o
}

// Define is a macro that exists before the first line. Name may carry parameters, as in "MAX(a,b)".
type Define struct {
	Name string
	Body string // one line; empty defines an empty macro
}

// Extension is one #extension line.
type Extension struct {
	Name     string // or "all"
	Behavior string // "require", "enable", "warn" or "disable"
	Pos      source.Pos
}

// Pragma is one #pragma line other than #pragma once; Emit keeps it in place.
type Pragma struct {
	Text string // what follows "#pragma ", one blank between words
	Pos  source.Pos

	before int // index in Result.Tokens of the token it precedes
}

// Result is a preprocessed kernel.
type Result struct {
	Tokens     []source.Token // ends with EOF
	Version    int            // as #version says; 0 when the text has no #version
	Profile    string         // as #version says: "core", "compatibility", "es", or ""
	VersionPos source.Pos     // of the #version line; the zero Pos without one
	Extensions []Extension    // in source order
	Pragmas    []Pragma       // in source order
	Formats    []string       // debugf formats, unquoted, by format id: order of first use
	Files      []string       // files read, and names that #line gives in quotes, in order of first mention

	Asked []string // extensions whose macros conditions asked for in vain

	Record *Record // nil unless Options.Record

	formatIDs map[string]int // literal as written, with quotes -> index in Formats
}

// FormatID gives the format id (the index in Formats) of a debugf string token's text.
func (r *Result) FormatID(literal string) (id int, ok bool) {
	id, ok = r.formatIDs[literal]
	return id, ok
}
