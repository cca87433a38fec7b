package dispatch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
)

// maxKernelBytes bounds a kernel's file; the preprocessor bounds it together with what it includes.
const maxKernelBytes = preprocess.DefaultBytes

// readKernel reads a kernel's text. Its name in positions is the path.
func readKernel(path string) (*source.File, error) {
	text, err := plainfile.Read(path, maxKernelBytes)
	if err != nil {
		return nil, plainfile.Failure("read the kernel", path, err, "name a readable text file")
	}
	if at := notText(text); at >= 0 {
		return nil, &fault.Error{
			Kind: plainfile.ErrFile, Op: "read the kernel", Subject: path, Detail: fmt.Sprintf("it is not a text: byte %d is %#02x", at, text[at]),
			Fix: "name a file of GLSL text",
		}
	}
	return &source.File{Name: path, Text: string(text)}, nil
}

// notText is where the first character stands that no text has, -1 where there is none: what the front end finds in another file
// would be an error for each byte.
func notText(text []byte) int {
	return bytes.IndexFunc(text, func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\n\v\f\r", c) })
}

// Choices are what a text leaves to the one who compiles it.
type Choices struct {
	Spec     map[uint32]string   // values of specialization constants
	Subgroup int                 // invocations of a subgroup; 0: as many as the device's have
	Defines  []preprocess.Define // macros defined before the first line
	Search   []string            // folders in which included files are looked for, after that of the file that includes them
}

// CompileFile makes a program of a file that stands alone. What it includes is looked for beside the file that includes it first. Errors are plainfile.ErrFile and those of engine.CompileProgram, beside what the
// front end found.
func CompileFile(path string, c Choices) (*engine.Program, source.Diagnostics, error) {
	f, err := readKernel(path)
	if err != nil {
		return nil, nil, err
	}
	return engine.CompileProgram(filepath.Base(path), f, glsl.Options{Options: preprocess.Options{Resolver: preprocess.Dirs{Search: c.Search}, Defines: c.Defines}, Spec: c.Spec, Subgroup: c.Subgroup})
}

// FileText is the text of a kernel's file, or of one that it includes; "" where it cannot be read.
func FileText(name string) string {
	text, err := plainfile.Read(name, maxKernelBytes)
	if err != nil {
		return ""
	}
	return string(text)
}

// ReadPair reads a prefilter, and its confirmer where that has a file of its own, which is included behind it. Errors are
// plainfile.ErrFile and ErrRequest.
func ReadPair(file, confirm string) (*Pair, error) {
	text, err := readKernel(file)
	if err != nil {
		return nil, err
	}
	o := glsl.Options{Options: preprocess.Options{Resolver: preprocess.Dirs{}}}
	if _, _, err := engine.CompileProgram(filepath.Base(file), text, o); err == nil {
		return nil, &fault.Error{Kind: ErrRequest, Detail: file + " defines main, which a prefilter must not", Fix: "define prefilter, confirm and commit in its place, or leave out --speculation and --confirm"}
	}
	if confirm == "" {
		return &Pair{Name: filepath.Base(file), File: text, Options: o}, nil
	}
	if _, err := readKernel(confirm); err != nil { // an error of the include would not name the flag
		return nil, err
	}
	path, err := filepath.Abs(confirm)
	if err != nil || strings.ContainsAny(path, "\"\n") {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("invalid --confirm %q", confirm), Fix: "name a file whose path has no quotes and line ends"}
	}
	text.Text += fmt.Sprintf("\n#include \"%s\"\n", path)
	return &Pair{Name: filepath.Base(file), File: text, Options: o}, nil
}
