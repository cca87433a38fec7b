package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Tags are the build tags with which all modules are in use.
const Tags = "egl glfw"

// Module is one module that the build uses.
type Module struct {
	Path, Version string
	License       string // SPDX identifier
	Program       bool   // part of the program; else of its tests and checks only
	Text          string // of the license
}

// ErrLicense is matched by the error of a module whose license is not known, or not accepted.
var ErrLicense = errors.New("license not accepted")

// List returns the modules that vyretop is built, tested and checked with, in order of their paths. Modules must have been downloaded. A module without an
// accepted license is an ErrLicense.
func List(root string) ([]Module, error) {
	program, err := modulesOf(root, "-deps", "./cmd/vyretop")
	if err != nil {
		return nil, err
	}
	all, err := modulesOf(root, "-deps", "-test", "./...", "tool")
	if err != nil {
		return nil, err
	}
	var out []Module
	for path, m := range all {
		id, text, err := licenseOf(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("module %s %s: %w", path, m.Version, err)
		}
		_, linked := program[path]
		out = append(out, Module{Path: path, Version: m.Version, License: id, Program: linked, Text: text})
	}
	slices.SortFunc(out, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// listed is what the go command says of a module.
type listed struct {
	Path, Version, Dir string
	Main               bool
	Replace            *listed
}

// modulesOf asks the go command for the modules of packages. A module that is replaced by a folder of this
// repository is not someone else's work and is left out.
func modulesOf(root string, args ...string) (map[string]listed, error) {
	c := exec.Command("go", append([]string{"list", "-tags", Tags, "-json=Module"}, args...)...)
	c.Dir, c.Env = root, append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	out := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct{ Module *listed }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		if m := p.Module; m != nil && !m.Main && m.Replace == nil {
			out[m.Path] = *m
		}
	}
}

// licenseOf reads the license file of a module: its SPDX identifier and its text.
func licenseOf(dir string) (id, text string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool {
		name := strings.ToUpper(e.Name())
		return strings.HasPrefix(name, "LICENSE") || strings.HasPrefix(name, "LICENCE") || strings.HasPrefix(name, "COPYING")
	})
	if i < 0 {
		return "", "", fmt.Errorf("%w: no license file in %s. Fix: use another module, or name its license here", ErrLicense, dir)
	}
	read, err := os.ReadFile(filepath.Join(dir, entries[i].Name()))
	if err != nil {
		return "", "", err
	}
	if id = Identify(string(read)); id == "" {
		return "", "", fmt.Errorf("%w: the text of %s is unknown. Fix: use another module, or add the license to the table here", ErrLicense, entries[i].Name())
	}
	return id, string(read), nil
}

// accepted are the licenses that modules may have, each with phrases that its text alone contains. The first
// row that fits counts.
var accepted = []struct {
	id      string
	phrases []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0, january 2004"}},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "the above copyright notice and this permission notice shall be included"}},
	{"BSD-3-Clause", []string{"redistributions in binary form must reproduce", "neither the name of"}},
	{"BSD-3-Clause", []string{"redistributions in binary form must reproduce", "may not be used to endorse or promote products"}},
	{"BSD-2-Clause", []string{"redistributions in binary form must reproduce"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"Zlib", []string{"altered source versions must be plainly marked as such"}},
}

// Identify returns the SPDX identifier of an accepted license by its text, or "".
func Identify(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, l := range accepted {
		if !slices.ContainsFunc(l.phrases, func(p string) bool { return !strings.Contains(text, p) }) {
			return l.id
		}
	}
	return ""
}

// Markdown is the list as a page.
func Markdown(modules []Module) string {
	var b strings.Builder
	b.WriteString("# Licenses of the modules in use\n\nWritten by `go generate ./docs/gen`; a test compares it with go.mod. " +
		"*Program* modules are part of the vyretop binary with the tags " + Tags + ", the others serve tests and checks only.\n\n" +
		"| module | version | license | used by |\n|---|---|---|---|\n")
	for _, m := range modules {
		use := "tests"
		if m.Program {
			use = "program"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", m.Path, m.Version, m.License, use)
	}
	return b.String()
}

// Notices are the license texts of the modules that are part of the program, as their licenses ask for.
func Notices(modules []Module) string {
	var b strings.Builder
	b.WriteString("vyretop contains the following modules.\n")
	for _, m := range modules {
		if m.Program {
			fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n\n%s\n", strings.Repeat("-", 80), m.Path, m.Version, m.License, strings.TrimSpace(m.Text))
		}
	}
	return b.String()
}
