package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"vyretop/engine"
	"vyretop/engine/dispatch"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
)

// pair reads a prefilter, and its confirmer where that has a file of its own, which is included behind it.
func (f *dispatchFlags) pair(file string) (*dispatch.Pair, error) {
	text, err := readKernel(file)
	if err != nil {
		return nil, err
	}
	o := glsl.Options{Options: preprocess.Options{Resolver: preprocess.Dirs{}}}
	if _, _, err := engine.CompileProgram(filepath.Base(file), text, o); err == nil {
		return nil, usage(fmt.Sprintf("%s defines main, which a prefilter must not", file), "define prefilter, confirm and commit in its place, or leave out --speculation and --confirm")
	}
	if f.confirm == "" {
		return &dispatch.Pair{Name: filepath.Base(file), File: text, Options: o}, nil
	}
	if _, err := readKernel(f.confirm); err != nil { // an error of the include would not name the flag
		return nil, err
	}
	path, err := filepath.Abs(f.confirm)
	if err != nil || strings.ContainsAny(path, "\"\n") {
		return nil, usage(fmt.Sprintf("invalid --confirm %q", f.confirm), "name a file whose path has no quotes and line ends")
	}
	text.Text += fmt.Sprintf("\n#include \"%s\"\n", path)
	return &dispatch.Pair{Name: filepath.Base(file), File: text, Options: o}, nil
}
