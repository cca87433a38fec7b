package main

import (
	"path/filepath"

	"vyretop/engine"
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
	return &source.File{Name: path, Text: string(text)}, nil
}

// compileKernel makes a program of a file that stands alone. What it includes is looked for beside the
// file that includes it. spec gives specialization constants other values.
func compileKernel(path string, spec map[uint32]string) (*engine.Program, source.Diagnostics, error) {
	f, err := readKernel(path)
	if err != nil {
		return nil, nil, err
	}
	return engine.CompileProgram(filepath.Base(path), f, glsl.Options{Options: preprocess.Options{Resolver: preprocess.Dirs{}}, Spec: spec})
}

// fileText is the text of a file on disk, "" where it cannot be read.
func fileText(name string) string {
	text, err := plainfile.Read(name, maxKernelBytes)
	if err != nil {
		return ""
	}
	return string(text)
}
