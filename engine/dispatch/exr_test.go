package dispatch

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl/floats"
	"vyretop/engine/reference"
)

// copied writes an image as it is to another one of floats.
const copied = `layout(local_size_x = 1) in;
layout(rgba32f, binding = 0) uniform readonly image2D from;
layout(rgba32f, binding = 3) uniform writeonly image2D to;
void main() { ivec2 p = ivec2(gl_WorkGroupID.xy); imageStore(to, p, imageLoad(from, p)); }
`

// exrFile is a file of channels with samples by line, compressed in chunks as a function says.
func exrFile(compression byte, names string, typ uint32, width, height int, sample func(c byte, x, y int) uint32, pack func([]byte) []byte) []byte {
	little := binary.LittleEndian
	var list []byte
	for _, c := range names {
		list = append(little.AppendUint32(append(list, byte(c), 0), typ), 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
	}
	box := little.AppendUint32(little.AppendUint32(little.AppendUint32(little.AppendUint32(nil, 3), 5), uint32(width+2)), uint32(height+4))
	out := little.AppendUint32(little.AppendUint32(nil, exrMagic), exrVersion)
	attribute := func(name, typ string, value []byte) {
		out = append(append(append(append(out, name...), 0), typ...), 0)
		out = append(little.AppendUint32(out, uint32(len(value))), value...)
	}
	attribute("channels", "chlist", append(list, 0))
	attribute("comments", "string", []byte("any"))
	attribute("compression", "compression", []byte{compression})
	attribute("dataWindow", "box2i", box)
	out = append(out, 0)
	lines := exrCompressions[compression].lines
	table := len(out)
	out = append(out, make([]byte, 8*((height+lines-1)/lines))...)
	for y := 0; y < height; y += lines {
		little.PutUint64(out[table+y/lines*8:], uint64(len(out)))
		var data []byte
		for i := y; i < min(y+lines, height); i++ {
			for _, c := range names {
				for x := range width {
					if v := sample(byte(c), x, i); typ == exrHalf {
						data = little.AppendUint16(data, uint16(v))
					} else {
						data = little.AppendUint32(data, v)
					}
				}
			}
		}
		if pack != nil {
			if packed := pack(apart(data)); len(packed) < len(data) {
				data = packed
			}
		}
		out = append(little.AppendUint32(little.AppendUint32(out, uint32(y+5)), uint32(len(data))), data...)
	}
	return out
}

// apart is what precedes compression: the bytes at even places first, and differences of neighbors.
func apart(data []byte) []byte {
	var out []byte
	for from := range 2 {
		for i := from; i < len(data); i += 2 {
			out = append(out, data[i])
		}
	}
	for i := len(out) - 1; i > 0; i-- {
		out[i] -= out[i-1] - 128
	}
	return out
}

func deflated(data []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// inRuns compresses runs of equal bytes, and writes others as they are.
func inRuns(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); {
		n := 1
		for i+n < len(data) && n < 128 && data[i+n] == data[i] {
			n++
		}
		if n == 1 {
			out = append(out, 0xff, data[i])
		} else {
			out = append(out, byte(n-1), data[i])
		}
		i += n
	}
	return out
}

// smoothHalf is a picture whose lines become smaller when they are compressed.
func smoothHalf(c byte, x, y int) uint32 {
	return floats.Half(float32(c) + float32(x/8) + float32(y)/4)
}

// TestOpenEXRFilesAreRead: with each compression that is read the texels are the samples, and channels that are missing have their defaults.
func TestOpenEXRFilesAreRead(t *testing.T) {
	const width, height = 37, 21
	b, p := backendtest.Reference(t, reference.Options{}), compiled(t, copied)
	for name, row := range map[string]struct {
		compression byte
		pack        func([]byte) []byte
	}{"none": {exrNone, nil}, "RLE": {exrRLE, inRuns}, "ZIPS": {exrZIPS, deflated}, "ZIP": {exrZIP, deflated}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.exr"), filepath.Join(dir, "out")
			check(t, os.WriteFile(in, exrFile(row.compression, "BGNR", exrHalf, width, height, smoothHalf, row.pack), 0o600))
			r := &Request{Images: map[string]string{"0": in, "to": "37x21"}, Saves: map[string]string{"to": out}, Config: engine.DispatchConfig{Grid: [3]uint32{width, height, 1}}}
			_, err := Run(t.Context(), b, p, r)
			check(t, err)
			got, err := os.ReadFile(out)
			check(t, err)
			for y := range height {
				for x := range width {
					for i, c := range "RGB" {
						want := floats.FromHalf(smoothHalf(byte(c), x, y))
						if have := math.Float32frombits(binary.LittleEndian.Uint32(got[16*(y*width+x)+4*i:])); have != want {
							t.Fatalf("%c at %d, %d is %v, want %v", c, x, y, have, want)
						}
					}
					if a := math.Float32frombits(binary.LittleEndian.Uint32(got[16*(y*width+x)+12:])); a != 1 {
						t.Fatalf("the opacity at %d, %d is %v", x, y, a)
					}
				}
			}
		})
	}
}

// TestOpenEXRFilesAreWritten: what is saved is read back bit for bit.
func TestOpenEXRFilesAreWritten(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, copied), t.TempDir()
	in, saved, out := filepath.Join(dir, "in"), filepath.Join(dir, "saved.exr"), filepath.Join(dir, "out")
	var texels []byte
	for i := range 5 * 3 * 4 {
		texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(float32(i)*-1.25e-3))
	}
	check(t, os.WriteFile(in, texels, 0o600))
	for _, row := range [][2]string{{in + ":5x3", saved}, {saved, out}} {
		r := &Request{Images: map[string]string{"0": row[0], "to": "5x3"}, Saves: map[string]string{"to": row[1]}, Config: engine.DispatchConfig{Grid: [3]uint32{5, 3, 1}}}
		_, err := Run(t.Context(), b, p, r)
		check(t, err)
	}
	got, err := os.ReadFile(out)
	check(t, err)
	if !bytes.Equal(got, texels) {
		t.Errorf("% x became % x", texels, got)
	}
}

// TestDamagedOpenEXRFilesAreRefused: files that are cut, damaged, or of a kind that is not read are errors with a fix.
func TestDamagedOpenEXRFilesAreRefused(t *testing.T) {
	b, p := backendtest.Reference(t, reference.Options{}), compiled(t, copied)
	good := exrFile(exrZIP, "BGR", exrHalf, 37, 21, smoothHalf, deflated)
	changed := func(at int, v byte) []byte {
		out := bytes.Clone(good)
		out[at] = v
		return out
	}
	for name, data := range map[string][]byte{
		"cut head": good[:40], "cut table": good[:bytes.Index(good, []byte("dataWindow"))+40], "cut chunk": good[:len(good)-9], "tiles": changed(5, 2), "version": changed(4, 9),
		"compression": bytes.Replace(good, []byte("compression\x00\x01\x00\x00\x00\x03"), []byte("compression\x00\x01\x00\x00\x00\x04"), 1), "chunk": changed(len(good)-40, 0x55),
		"channels": exrFile(exrNone, "PQ", exrFloat, 2, 2, smoothHalf, nil), "large": bytes.Replace(good, []byte("box2i\x00\x10\x00\x00\x00\x03\x00\x00\x00"), []byte("box2i\x00\x10\x00\x00\x00\x03\x00\x00\x80"), 1),
	} {
		path := filepath.Join(t.TempDir(), "in.exr")
		check(t, os.WriteFile(path, data, 0o600))
		_, err := Run(t.Context(), b, p, &Request{Images: map[string]string{"0": path, "to": "1x1"}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}})
		if !errors.Is(err, ErrRequest) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzOpenEXR: no file makes the reader panic, or read more lines than it has.
func FuzzOpenEXR(f *testing.F) {
	f.Add(exrFile(exrZIP, "BGR", exrHalf, 9, 20, smoothHalf, deflated))
	f.Add(exrFile(exrRLE, "AY", exrFloat, 3, 2, smoothHalf, inRuns))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := readEXRHead(bytes.NewReader(data))
		if err != nil || h.lineBytes() > 1<<16 || len(data) < int(h.table)+8*h.chunks() {
			return
		}
		texels, lines := make([]uint32, h.width*4), exrCompressions[h.compression].lines
		for y := 0; y < h.height; y += lines {
			here := min(lines, h.height-y)
			chunk, err := h.chunk(bytes.NewReader(data), int64(binary.LittleEndian.Uint64(data[int(h.table)+8*(y/lines):])), y, here)
			if err != nil {
				return
			}
			for range here {
				h.line(texels, chunk, 4, 0)
				chunk = chunk[h.lineBytes():]
			}
		}
	})
}
