package capture

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// Names of the entries.
const (
	headerEntry  = "capture.json"
	kernelEntry  = "kernel.json.zst"
	bufferPrefix = "buffer-"
	bufferSuffix = ".u32"
)

// MaxBytes bounds what the entries of an archive hold together; maxEntries their number, and maxHeader the header.
const (
	MaxBytes   = 1 << 30
	maxEntries = 256
	maxHeader  = 16 << 20
)

// Write writes a capture as a zip archive.
func (c *Capture) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	header, err := json.MarshalIndent(c.Header, "", "  ")
	if err != nil {
		return err
	}
	text, err := c.Text.Pack()
	if err != nil {
		return err
	}
	if err := add(z, headerEntry, header); err != nil {
		return err
	}
	if err := add(z, kernelEntry, text); err != nil {
		return err
	}
	for _, binding := range slices.Sorted(maps.Keys(c.Buffers)) {
		name := fmt.Sprint(bufferPrefix, binding, bufferSuffix)
		if err := add(z, name, peer.Bytes(c.Buffers[binding])); err != nil {
			return err
		}
	}
	return z.Close()
}

func add(z *zip.Writer, name string, data []byte) error {
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// IsCapture reports whether a file begins as a zip archive does, which no recording and no source text does. Pipes and
// devices are not opened.
func IsCapture(name string) bool {
	return plainfile.Begins(name, "PK\x03\x04")
}

// Open reads a capture from a file. Errors are ErrCapture and those of files.
func Open(name string) (*Capture, error) {
	f, err := plainfile.Open(name)
	if err != nil {
		return nil, plainfile.Failure("open the capture", name, err, plainfile.Fix(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, plainfile.Failure("open the capture", name, err, plainfile.Fix(err))
	}
	return Read(name, f, info.Size())
}

// Read reads a capture of that many bytes. The error is ErrCapture.
func Read(name string, r io.ReaderAt, size int64) (*Capture, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, broken(name, "it is not a capture", err)
	}
	c := &Capture{Buffers: map[uint32][]uint32{}}
	if err := c.readEntries(z); err != nil {
		return nil, broken(name, "", err)
	}
	if c.Schema != Schema {
		return nil, &fault.Error{Kind: ErrCapture, Op: "read capture", Subject: name, Detail: fmt.Sprintf("its schema is %q, and this version reads %s", c.Schema, Schema), Fix: "open it with the version of vyretop that wrote it"}
	}
	if detail := c.flaw(); detail != "" {
		return nil, broken(name, detail, nil)
	}
	return c, nil
}

func broken(name, detail string, cause error) error {
	return &fault.Error{Kind: ErrCapture, Op: "read capture", Subject: name, Detail: detail, Cause: cause, Fix: "capture the task again: vyretop capture TASK FILE"}
}

func (c *Capture) readEntries(z *zip.Reader) error {
	if len(z.File) > maxEntries {
		return fmt.Errorf("it has %d entries, at most %d are read", len(z.File), maxEntries)
	}
	left := int64(MaxBytes)
	for _, f := range z.File {
		err := c.readEntry(f, left)
		if err != nil {
			return &fault.Error{Kind: ErrCapture, Subject: f.Name, Cause: err}
		}
		left -= int64(f.UncompressedSize64)
	}
	return nil
}

func (c *Capture) readEntry(f *zip.File, left int64) error {
	if binding, isBuffer := strings.CutPrefix(f.Name, bufferPrefix); isBuffer {
		n, err := strconv.ParseUint(strings.TrimSuffix(binding, bufferSuffix), 10, 16)
		if err != nil {
			return err
		}
		c.Buffers[uint32(n)], err = wordsOf(f, left)
		return err
	}
	if f.Name != headerEntry && f.Name != kernelEntry {
		return nil
	}
	data, err := contents(f, maxHeader)
	if err != nil {
		return err
	}
	if f.Name == headerEntry {
		return json.Unmarshal(data, &c.Header)
	}
	c.Text, err = kernel.Unpack(data)
	return err
}

// open opens an entry that says that it has at most limit bytes. A reader fails where it has more, or less, than it says.
func open(f *zip.File, limit int64) (io.ReadCloser, error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("it has more than %d MiB", limit>>20)
	}
	return f.Open()
}

// contents reads an entry of at most limit bytes.
func contents(f *zip.File, limit int64) ([]byte, error) {
	r, err := open(f, limit)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("it has more than %d MiB", limit>>20)
	}
	return data, err
}

// wordsOf reads an entry of at most limit bytes as words, piece by piece: nothing is in memory twice.
func wordsOf(f *zip.File, limit int64) ([]uint32, error) {
	if f.UncompressedSize64%4 != 0 {
		return nil, fmt.Errorf("%d bytes are not a whole number of words", f.UncompressedSize64)
	}
	r, err := open(f, limit)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	words := make([]uint32, f.UncompressedSize64/4)
	piece := make([]byte, 1<<16)
	for at := 0; at < len(words); {
		n, err := io.ReadFull(r, piece[:min(len(piece), 4*(len(words)-at))])
		if err != nil {
			return nil, err
		}
		for b := piece[:n]; len(b) > 0; b = b[4:] {
			words[at] = binary.LittleEndian.Uint32(b)
			at++
		}
	}
	if _, err := io.ReadFull(r, piece[:1]); err == nil {
		return nil, errors.New("it has more bytes than it says")
	} else if !errors.Is(err, io.EOF) {
		return nil, err // its checksum is wrong
	}
	return words, nil
}

// activation is how many loop iterations the captured activation may run.
func (c *Capture) activation() uint32 {
	const word = megakernel.InboxSettings + megakernel.SettingActivation
	if inbox := c.Buffers[megakernel.BindInbox]; len(inbox) > word {
		return inbox[word]
	}
	return 0
}

// flaw says what is missing or out of range.
func (c *Capture) flaw() string {
	ring := c.Buffers[megakernel.BindRing]
	switch {
	case c.Text == nil:
		return "the kernel's text is missing"
	case c.Slot < 0 || c.Slot >= len(ring)/tasks.SlotWords:
		return fmt.Sprintf("slot %d of the task is outside the ring", c.Slot)
	case c.Held != nil && len(c.Held.End) != tasks.SlotWords:
		return fmt.Sprintf("the words with which the activation ended are %d, and a slot has %d", len(c.Held.End), tasks.SlotWords)
	case c.activation() > megakernel.MaxActivation:
		return fmt.Sprintf("an activation may run %d loop iterations, and a run allows at most %d", c.activation(), megakernel.MaxActivation)
	case c.Lane < 0 || c.Workgroup < 1 || c.Lane >= c.Workgroup:
		return fmt.Sprintf("lane %d is outside the workgroup of %d", c.Lane, c.Workgroup)
	}
	return ""
}
