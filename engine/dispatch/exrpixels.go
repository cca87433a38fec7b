package dispatch

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/plainfile"
)

func (p *picture) notEXR(err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s is not an OpenEXR file that can be read", p.of.Name, p.path), Cause: err, Fix: "save it as lines in one part with the compression ZIP, or give raw texels with their size as FILE:640x480"}
}

// checkEXR takes the size of a file as that of the image, and refuses one that has become another since its size was read.
func (p *picture) checkEXR(f *os.File) error {
	h, err := readEXRHead(f)
	if err != nil {
		return p.notEXR(err)
	}
	size := [3]uint32{uint32(h.width), uint32(h.height), 1}
	if p.first > 0 && size != p.size {
		return p.notEXR(errors.New("it has changed while it was read"))
	}
	for _, c := range h.channels {
		if c.component >= 0 && c.component < p.of.Image.Components && p.of.Image.Kind != tree.KindFloat && c.typ != exrUint {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q has integers, and the channel %s of %s has floats", p.of.Name, c.name, p.path), Fix: "give a file with integers, or use an image of floats"}
		}
	}
	info, err := f.Stat()
	if err != nil {
		return p.unreadable(err)
	}
	if info.Size() < h.table+8*int64(h.chunks()) {
		return p.notEXR(io.ErrUnexpectedEOF)
	}
	p.size, p.exr = size, h
	return p.bound()
}

// fillEXR copies the pixels of an OpenEXR file. Components without a channel are 0, that of the opacity is 1; Y alone is for all three colors.
func (p *picture) fillEXR(f *os.File, out *uploader) error {
	h, n := p.exr, p.of.Image.Components
	lines := exrCompressions[h.compression].lines
	table := make([]byte, 8*h.chunks())
	if _, err := f.ReadAt(table, h.table); err != nil {
		return p.notEXR(err)
	}
	texels := make([]uint32, h.width*n)
	for y := 0; y < h.height; y += lines {
		here := min(lines, h.height-y)
		data, err := h.chunk(f, int64(binary.LittleEndian.Uint64(table[y/lines*8:])), y, here)
		if err != nil {
			return p.notEXR(err)
		}
		for range here {
			h.line(texels, data, n, p.of.Image.Kind)
			out.add(texels...)
			data = data[h.lineBytes():]
		}
		if out.err != nil {
			return out.err
		}
	}
	return nil
}

// chunk reads the lines from y on, whose chunk begins at a place of the file.
func (h *exrHead) chunk(f io.ReaderAt, at int64, y, lines int) ([]byte, error) {
	var head [8]byte
	if _, err := f.ReadAt(head[:], at); err != nil {
		return nil, err
	}
	first, size := int(int32(binary.LittleEndian.Uint32(head[:]))), int(binary.LittleEndian.Uint32(head[4:]))
	whole := lines * h.lineBytes()
	if first != h.top+y || size > whole {
		return nil, fmt.Errorf("the chunk of line %d is damaged", y)
	}
	data := make([]byte, size)
	if _, err := f.ReadAt(data, at+int64(len(head))); err != nil {
		return nil, err
	}
	if size == whole { // a chunk that does not become smaller is stored as it is
		return data, nil
	}
	var err error
	switch h.compression {
	case exrRLE:
		data, err = unpackRuns(data, whole)
	case exrZIPS, exrZIP:
		data, err = inflated(data, whole)
	}
	if err == nil && len(data) != whole {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("the chunk of line %d is damaged: %w", y, err)
	}
	return interleaved(data), nil
}

func inflated(data []byte, whole int) ([]byte, error) {
	in, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(in, int64(whole)+1))
}

// unpackRuns undoes the compression of runs: a count below 0 is that of bytes as they are, another one that of copies less one.
func unpackRuns(data []byte, whole int) ([]byte, error) {
	out := make([]byte, 0, whole)
	for len(data) > 0 {
		n := int(int8(data[0]))
		data = data[1:]
		switch {
		case n < 0 && -n <= len(data):
			out, data = append(out, data[:-n]...), data[-n:]
		case n >= 0 && len(data) > 0:
			out, data = append(out, bytes.Repeat(data[:1], n+1)...), data[1:]
		default:
			return nil, io.ErrUnexpectedEOF
		}
		if len(out) > whole {
			return nil, errors.New("it has too many bytes")
		}
	}
	return out, nil
}

// interleaved undoes what precedes compression: each byte is the difference to the one before, and those at even places come first.
func interleaved(data []byte) []byte {
	for i := 1; i < len(data); i++ {
		data[i] += data[i-1] - 128
	}
	out := make([]byte, len(data))
	half := (len(data) + 1) / 2
	for i := range out {
		out[i] = data[i/2+i%2*half]
	}
	return out
}

// line makes the texels of a line.
func (h *exrHead) line(texels []uint32, data []byte, n int, k tree.Kind) {
	one := uint32(1)
	if k == tree.KindFloat {
		one = math.Float32bits(1)
	}
	for i := range texels {
		texels[i] = 0
		if i%n == 3 {
			texels[i] = one
		}
	}
	for _, c := range h.channels {
		size := exrBytes[c.typ]
		gray := c.name == "Y" && !slices.ContainsFunc(h.channels, func(c exrChannel) bool { return c.name == "R" })
		for x := 0; x < h.width && c.component >= 0 && c.component < n; x++ {
			v := exrSample(data[x*size:], c.typ, k)
			for i := c.component; i < n && (i == c.component || gray && i < 3); i++ {
				texels[x*n+i] = v
			}
		}
		data = data[size*h.width:]
	}
}

// exrSample is a sample as a component of a kind.
func exrSample(data []byte, typ int, k tree.Kind) uint32 {
	switch {
	case typ == exrHalf:
		return math.Float32bits(floats.FromHalf(uint32(binary.LittleEndian.Uint16(data))))
	case typ == exrUint && k == tree.KindFloat:
		return math.Float32bits(float32(binary.LittleEndian.Uint32(data)))
	}
	return binary.LittleEndian.Uint32(data)
}

// exrNames are the channels of images by the number of components, in the order in which a file has them, with their components.
var exrNames = map[int]string{1: "Y", 2: "GR", 4: "ABGR"}

// saveEXR writes an OpenEXR file without compression, with the layers of an image one below the other.
func (p *picture) saveEXR(path string, download func(func([]uint32) error) error) error {
	if p.of.Image.Kind == tree.KindInt {
		return errors.New("OpenEXR files have no signed integers; name a file that does not end in .exr for raw texels")
	}
	n, width, height := p.of.Image.Components, int(p.size[0]), int(p.size[1]*p.size[2]*p.times)
	return plainfile.Put(path, plainfile.OutputMode, func(w io.Writer) error {
		if _, err := w.Write(exrFileHead(exrNames[n], p.of.Image.Kind, width, height)); err != nil {
			return err
		}
		texels := make([]uint32, 0, width*n)
		chunk, y := make([]byte, 0, 8+4*width*n), 0
		return download(func(words []uint32) error {
			for len(words) > 0 {
				take := min(len(words), cap(texels)-len(texels))
				texels, words = append(texels, words[:take]...), words[take:]
				if len(texels) < cap(texels) {
					break
				}
				chunk = exrLine(chunk[:0], texels, n, y)
				if _, err := w.Write(chunk); err != nil {
					return err
				}
				texels, y = texels[:0], y+1
			}
			return nil
		})
	})
}

// exrLine is the chunk of a line.
func exrLine(chunk []byte, texels []uint32, n, y int) []byte {
	little := binary.LittleEndian
	chunk = little.AppendUint32(little.AppendUint32(chunk, uint32(y)), uint32(4*len(texels)))
	for _, c := range exrNames[n] {
		for x := exrComponents[string(c)]; x < len(texels); x += n {
			chunk = little.AppendUint32(chunk, texels[x])
		}
	}
	return chunk
}

// exrFileHead is all that precedes the chunks of a file whose chunks are lines of 32-bit samples.
func exrFileHead(channels string, k tree.Kind, width, height int) []byte {
	little := binary.LittleEndian
	typ := uint32(exrFloat)
	if k != tree.KindFloat {
		typ = exrUint
	}
	var list []byte
	for _, c := range channels {
		list = little.AppendUint32(append(list, byte(c), 0), typ)
		list = append(list, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
	}
	box := make([]byte, 8, 16)
	box = little.AppendUint32(little.AppendUint32(box, uint32(width-1)), uint32(height-1))
	one := little.AppendUint32(nil, math.Float32bits(1))
	out := little.AppendUint32(little.AppendUint32(nil, exrMagic), exrVersion)
	for _, a := range []struct {
		name, typ string
		value     []byte
	}{
		{"channels", "chlist", append(list, 0)}, {"compression", "compression", []byte{exrNone}}, {"dataWindow", "box2i", box}, {"displayWindow", "box2i", box},
		{"lineOrder", "lineOrder", []byte{0}}, {"pixelAspectRatio", "float", one}, {"screenWindowCenter", "v2f", make([]byte, 8)}, {"screenWindowWidth", "float", one},
	} {
		out = append(append(append(append(out, a.name...), 0), a.typ...), 0)
		out = append(little.AppendUint32(out, uint32(len(a.value))), a.value...)
	}
	out = append(out, 0)
	chunk, first := 8+4*width*len(channels), len(out)+8*height
	for y := range height {
		out = little.AppendUint64(out, uint64(first+y*chunk))
	}
	return out
}
