package dap

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"vyretop/engine/debugger"
	"vyretop/engine/plainfile"
)

// source names a file of the kernel to the client: by its path, or by a reference where it is not on disk as it is in the
// kernel.
func (s *view) source(file string) *dap.Source {
	if file == "" {
		return nil
	}
	src := &dap.Source{Name: filepath.Base(file), Path: file}
	if path, ok := s.paths.Load(file); ok {
		src.Path = path.(string)
		return src
	}
	if !s.onDisk() {
		n, listed := s.references[file]
		if src.SourceReference = n; n > 0 || !listed {
			return src
		}
	}
	if path, err := filepath.Abs(file); err == nil {
		src.Path = path
	}
	return src
}

// references numbers the files of a kernel from 1 on; those on disk that have the same text get 0.
func references(files []string, text func(file string) string) map[string]int {
	list := map[string]int{}
	for i, file := range files {
		list[file] = 0
		if have, err := plainfile.Read(file, maxMessage); err != nil || string(have) != text(file) {
			list[file] = i + 1
		}
	}
	return list
}

// fileOf finds the file of the kernel that a client means.
func (s *view) fileOf(src dap.Source) (string, bool) {
	files := s.files()
	if n := src.SourceReference; n > 0 {
		if n > len(files) {
			return "", false
		}
		return files[n-1], true
	}
	same := func(f string) bool { return f == src.Path || s.onDisk() && sameFile(f, src.Path) }
	if i := slices.IndexFunc(files, same); i >= 0 {
		return files[i], true
	}
	if s.onDisk() {
		return "", false
	}
	return byName(files, src.Path)
}

// files are those of the kernel.
func (s *view) files() []string {
	if s.live != nil {
		return s.live.run.Files()
	}
	return debugger.Files(s.program.Session)
}

// text is that of a file of the kernel.
func (s *view) text(file string) string {
	if s.live != nil {
		return s.live.run.Text(file)
	}
	return s.program.Text(file)
}

// lines are those of a file of the kernel at which a breakpoint can be.
func (s *view) lines(file string) []int {
	if s.live != nil {
		return s.live.run.Lines(file)
	}
	return debugger.CodeLines(s.program.Session, file)
}

// onDisk reports whether the kernel's files are files on disk.
func (s *view) onDisk() bool { return s.live == nil && s.program.OnDisk }

// openAs has a client that has a file of a live run's kernel on disk, with the same text, see its own one.
func (s *view) openAs(file, path string) {
	if path == "" || !filepath.IsAbs(path) {
		return
	}
	if have, err := plainfile.Read(path, maxMessage); err == nil && string(have) == s.text(file) {
		s.paths.Store(file, path)
	}
}

// byName finds the file that has the name of a path, which may be of another machine; false where several have it.
func byName(files []string, path string) (file string, ok bool) {
	path = filepath.ToSlash(path)
	for _, f := range files {
		if strings.HasSuffix(path, "/"+f) {
			return f, true
		}
	}
	for _, f := range files {
		if filepath.Base(f) != filepath.Base(path) {
			continue
		}
		if ok {
			return "", false
		}
		file, ok = f, true
	}
	return file, ok
}

// sameFile reports whether two paths are of one file.
func sameFile(a, b string) bool {
	x, err := filepath.Abs(a)
	if err == nil && x == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// loadedSources lists the files of the kernel.
func loadedSources(s *server, _ request) (any, error) {
	body := dap.LoadedSourcesResponseBody{Sources: []dap.Source{}}
	for _, f := range s.files() {
		body.Sources = append(body.Sources, *s.source(f))
	}
	return body, nil
}

// sourceText is the text of a file of the kernel.
func sourceText(s *server, a dap.SourceArguments) (any, error) {
	src := dap.Source{SourceReference: a.SourceReference}
	if a.Source != nil {
		src = *a.Source
	}
	if file, ok := s.fileOf(src); ok {
		return dap.SourceResponseBody{Content: s.text(file), MimeType: "text/x-glsl"}, nil
	}
	return nil, invalid("source not found", "use a source that loadedSources lists")
}

// Addresses of instructions: number 0 is at firstAddress, so that those before the code have addresses, too.
const (
	firstAddress    = 1 << 20
	maxInstructions = 1 << 16
)

func address(pc int) string { return fmt.Sprintf("0x%x", firstAddress+pc) }

// disassemble lists instructions of the reference interpreter. Addresses without code get a
// placeholder, as the protocol asks for.
func disassemble(s *server, a dap.DisassembleArguments) (any, error) {
	at, err := strconv.ParseInt(a.MemoryReference, 0, 32)
	if err != nil {
		return nil, invalid("invalid memory reference "+quote(a.MemoryReference), "use the instruction pointer of a frame")
	}
	for _, n := range []int{a.Offset, a.InstructionOffset, a.InstructionCount} {
		if n > maxInstructions || n < -maxInstructions {
			return nil, invalid(fmt.Sprintf("cannot disassemble %d instructions", n), fmt.Sprintf("ask for at most %d", maxInstructions))
		}
	}
	if s.program == nil {
		return nil, invalid("no task is open", "wait until a breakpoint holds one")
	}
	from := int(at) - firstAddress + a.Offset + a.InstructionOffset
	body := dap.DisassembleResponseBody{Instructions: make([]dap.DisassembledInstruction, max(a.InstructionCount, 0))}
	for i := range body.Instructions {
		body.Instructions[i] = dap.DisassembledInstruction{Address: address(max(from+i, -firstAddress)), Instruction: "(no code)"}
	}
	last := dap.Source{}
	for _, in := range debugger.Disassemble(s.program.Session, from, from+a.InstructionCount) {
		out := &body.Instructions[in.Number-from]
		out.Instruction = in.Text
		if src := s.source(in.Pos.File); src != nil {
			out.Line, out.Column = s.lineOut(in.Pos.Line), s.columnOut(in.Pos.Col)
			if src.Path != last.Path {
				out.Location, last = src, *src
			}
		}
	}
	return body, nil
}
