package ioservice

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// Source reads what pages are made of. Its methods may be called from several goroutines at a time.
type Source interface {
	// ReadPage fills p with the bytes of a file from an offset on and returns how many there were. Fewer than
	// len(p) without an error mean that the file ends there.
	ReadPage(file uint32, p []byte, offset int64) (int, error)
	// Name is the file's name for messages; file may be any number.
	Name(file uint32) string
}

// Pages says which pages a kernel has, and how many of them fit into its memory at a time.
type Pages struct {
	List   []megakernel.Page
	Frames int // pages in memory, 1 to megakernel.MaxFrames
	Bytes  int // of a frame, a multiple of 4; no page is longer
	Source Source
}

// Layout is where the pages are in the kernel's buffers. A nil p has no pages.
func (p *Pages) Layout() megakernel.PageLayout {
	if p == nil {
		return megakernel.PageLayout{}
	}
	return megakernel.PageLayout{Pages: len(p.List), Frames: p.Frames, FrameWords: p.Bytes / 4}
}

// Cut makes the pages of a file of that many bytes: all but the last are as long as a frame.
func Cut(dst []megakernel.Page, file uint32, size int64, frame int) []megakernel.Page {
	for at := int64(0); at < size; at += int64(frame) {
		dst = append(dst, megakernel.Page{Source: file, Offset: uint64(at), Bytes: uint32(min(size-at, int64(frame)))})
	}
	return dst
}

// Files is a Source of files below a folder. What is outside of it cannot be read, through symbolic links
// neither. Each page is read from a file that is opened for it, so any number of files may be named.
type Files struct {
	Root  *os.Root
	Names []string // paths below it, by number; they are looked at when they are read
}

// Name implements Source.
func (f Files) Name(file uint32) string {
	if uint64(file) < uint64(len(f.Names)) {
		return f.Names[file]
	}
	return fmt.Sprintf("file %d", file)
}

// errNotNamed and errNotRegular are why files are not read.
const (
	errNotNamed   fault.Kind = "the run has no file of that number"
	errNotRegular fault.Kind = "it is not a regular file"
)

// ReadPage implements Source. Only regular files are read: others might never answer.
func (f Files) ReadPage(file uint32, p []byte, offset int64) (int, error) {
	if uint64(file) >= uint64(len(f.Names)) {
		return 0, errNotNamed
	}
	opened, err := f.Root.OpenFile(filepath.FromSlash(f.Names[file]), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errNotRegular
	}
	n, err := opened.ReadAt(p, offset)
	if err == io.EOF {
		err = nil
	}
	return n, err
}
