package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/lsp"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/workload"
)

func newLSP(a *app, _ []string) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve the kernel language to an editor by the Language Server Protocol",
		Long: "Serve the kernel language to an editor, on standard input and output, by the Language Server Protocol: errors and warnings while a text is edited, " +
			"types and offsets in memory, definitions, references, completion, an outline, and formatting.\n\n" +
			"A file with #version is a kernel by itself. Another one is part of the open kernel that includes it, or of the workload whose " + workload.ManifestName + " is in its folder or one above it. " +
			"docs/editors.md has configurations for VS Code, Neovim and Zed.",
		Example: "vyretop lsp",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(readerMargin)
			err := lsp.Serve(c.Context(), a.stdin, drawing(a.stdout), version, &edited{dir: kernelCopies(a.env)})
			if c.Context().Err() != nil {
				return nil
			}
			return err
		},
	}
}

// edited knows what the files are part of that an editor has open.
type edited struct {
	dir string // where copies of the kernel's own files are put, for the editor to show; "" for nowhere
}

// kernelCopies is the folder for copies of the kernel's own files: one for each version of them.
func kernelCopies(environ []string) string {
	state := plainfile.StateDir(environ)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "kernel", kernel.Digest()[:16])
}

// maxUp bounds the folders above a file in which its manifest is looked for.
const maxUp = 16

// Unit implements lsp.Project.
func (e *edited) Unit(path string, open func(path string) (string, bool)) (*lsp.Unit, error) {
	name := e.nameOf(path)
	text := func(name string) (string, bool) { return e.text(name, open) }
	u := &lsp.Unit{Name: name, Text: text}
	own, _ := open(path)
	if lsp.HasVersion(own) || filepath.Ext(path) == ".comp" || !filepath.IsAbs(filepath.FromSlash(path)) {
		u.Standalone, u.Main = true, &source.File{Name: name, Text: own}
		u.Options = glsl.Options{Options: preprocess.Options{Resolver: openFiles{preprocess.Dirs{}, open}}}
		return u, nil
	}
	k, err := e.handler(name, open)
	u.Problem = err
	if k == nil {
		if k, err = workload.EditHandler(open, name); err != nil {
			return nil, err
		}
	}
	u.Main, u.Options, u.Check = k.Main, k.Options, k.Check
	return u, nil
}

// handler finds the workload that a file is part of. Without one both results are nil.
func (e *edited) handler(name string, open func(path string) (string, bool)) (*workload.Editing, error) {
	if kernel.IsOwnFile(name) {
		return nil, nil
	}
	dir := filepath.Dir(filepath.FromSlash(name))
	for range maxUp {
		if _, err := os.Lstat(filepath.Join(dir, workload.ManifestName)); err == nil {
			m, err := workload.LoadNamed(plainfile.Dir(dir), ".", filepath.ToSlash(dir))
			if err != nil {
				return nil, err
			}
			return m.Edit(open, name)
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil, nil
}

// text is the text of a file by its name in positions.
func (e *edited) text(name string, open func(path string) (string, bool)) (string, bool) {
	if text, ok := open(name); ok {
		return text, true
	}
	if text, ok := kernel.OwnFile(name); ok {
		return text, true
	}
	text, err := plainfile.Read(filepath.FromSlash(name), maxKernelBytes)
	return string(text), err == nil
}

// nameOf is the name in positions of a file on disk: that of the kernel's own file of which it is a copy, or its path.
func (e *edited) nameOf(path string) string {
	if name, ok := strings.CutPrefix(path, filepath.ToSlash(e.dir)+"/"); ok && e.dir != "" {
		if _, own := kernel.OwnFile(name); own {
			return name
		}
	}
	return path
}

// Path implements lsp.Project. The kernel's own files are copied to where an editor can read them.
func (e *edited) Path(name string) string {
	text, own := kernel.OwnFile(name)
	if !own {
		if kernel.IsOwnFile(name) || !filepath.IsAbs(filepath.FromSlash(name)) {
			return ""
		}
		return name
	}
	if e.dir == "" {
		return ""
	}
	path := filepath.Join(e.dir, filepath.FromSlash(name))
	if have, err := plainfile.Read(path, maxKernelBytes); err == nil && string(have) == text {
		return filepath.ToSlash(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return ""
	}
	if err := plainfile.Replace(path, 0o400, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		return ""
	}
	return filepath.ToSlash(path)
}

// openFiles finds included files, and gives them the texts that they have in the editor.
type openFiles struct {
	next preprocess.Resolver
	open func(path string) (text string, ok bool)
}

// Resolve implements preprocess.Resolver.
func (r openFiles) Resolve(name, from string) (*source.File, error) {
	f, err := r.next.Resolve(name, from)
	missing := (*preprocess.NotFound)(nil)
	if errors.As(err, &missing) {
		beside := filepath.ToSlash(filepath.Join(filepath.Dir(from), name)) // it may not be on disk yet
		if text, ok := r.open(beside); ok {
			return &source.File{Name: beside, Text: text}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	f.Name = filepath.ToSlash(f.Name)
	if text, ok := r.open(f.Name); ok {
		f.Text = text
	}
	return f, nil
}
