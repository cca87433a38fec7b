package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
)

// Unlike lists in what another setup of the same workload differs that a running kernel cannot change.
func (s *Setup) Unlike(next *Setup) (list []string) {
	for _, v := range []struct {
		what    string
		was, is any
	}{
		{"iterations", s.Iterations, next.Iterations}, {"observables", s.Observables, next.Observables},
		{"operations", s.Operations, next.Operations}, {"automaton", s.Automaton, next.Automaton},
	} {
		if v.was != v.is {
			list = append(list, fmt.Sprintf("%s is %v, and was %v", v.what, v.is, v.was))
		}
	}
	for _, b := range s.Buffers {
		i := slices.IndexFunc(next.Buffers, func(x Buffer) bool { return x.Name == b.Name })
		if i < 0 || next.Buffers[i].Binding != b.Binding {
			list = append(list, fmt.Sprintf("buffer %s with binding %d is gone", b.Name, b.Binding))
		}
	}
	for _, b := range next.Buffers {
		if !slices.ContainsFunc(s.Buffers, func(x Buffer) bool { return x.Name == b.Name }) {
			list = append(list, fmt.Sprintf("buffer %s with binding %d is new", b.Name, b.Binding))
		}
	}
	return list
}

// Resized says of which buffers the manifest gives other sizes than before. Both are of Manifest.Handlers.
func (s *Setup) Resized(before *Setup) (list []string) {
	for i, b := range s.Buffers {
		if k := slices.IndexFunc(before.Buffers, func(x Buffer) bool { return x.Name == b.Name }); k >= 0 && s.sizes[i] != before.sizes[k] {
			list = append(list, "buffer "+b.Name+" has another size")
		}
	}
	return list
}

// ChangedFiles are the names of the handler files whose texts differ.
func (s *Setup) ChangedFiles(next *Setup) (names []string) {
	for _, f := range next.Sources {
		if i := slices.IndexFunc(s.Sources, func(x *source.File) bool { return x.Name == f.Name }); i < 0 || s.Sources[i].Text != f.Text {
			names = append(names, f.Name)
		}
	}
	for _, f := range s.Sources {
		if !slices.ContainsFunc(next.Sources, func(x *source.File) bool { return x.Name == f.Name }) {
			names = append(names, f.Name+" (left out)")
		}
	}
	return names
}

// mostExcerpt bounds the line that an error shows, in bytes.
const mostExcerpt = 120

// WithExcerpt is an error of compiling the handlers with the line of its first place.
func (s *Setup) WithExcerpt(err error) error {
	var list source.Diagnostics
	if !errors.As(err, &list) || len(list.Errors()) == 0 {
		return err
	}
	at := list.Errors()[0].Pos
	i := slices.IndexFunc(s.Sources, func(f *source.File) bool { return f.Name == at.File })
	if i < 0 {
		return err
	}
	lines := strings.Split(s.Sources[i].Text, "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return err
	}
	text := strings.TrimSpace(strings.ToValidUTF8(lines[at.Line-1], "?"))
	return fmt.Errorf("%w. Line %d: %s", err, at.Line, text[:min(len(text), mostExcerpt)])
}
