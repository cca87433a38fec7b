package dispatch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/plainfile"
)

// headWords is what comes before the texels of an image: its size, and their number.
const headWords = 4

// beyond is how many texels follow those of an image; the language stores and reads there what is outside.
const beyond = 2

// maxTexels bounds an image.
const maxTexels = 1 << 26

// imageBlock finds the image of a program at a binding, or nil.
func imageBlock(p *engine.Program, binding uint32) *tree.Buffer {
	if p.Tree == nil {
		return nil
	}
	for _, b := range p.Tree.Buffers {
		if uint32(b.Binding) == binding && b.Image != nil {
			return b
		}
	}
	return nil
}

// named finds what a request says about an image: by its name, or by the binding in the text.
func named(list map[string]string, b *tree.Buffer) (string, bool) {
	if v, ok := list[b.Name]; ok {
		return v, true
	}
	v, ok := list[strconv.Itoa(b.Image.Unit)]
	return v, ok
}

// checkImages refuses names that no image has.
func (r *Request) checkImages(p *engine.Program) error {
	for flag, list := range map[string]map[string]string{"--image": r.Images, "--save": r.Saves} {
		for _, name := range keys(list) {
			found := p.Tree != nil && slices.ContainsFunc(p.Tree.Buffers, func(b *tree.Buffer) bool {
				return b.Image != nil && (b.Name == name || strconv.Itoa(b.Image.Unit) == name)
			})
			if !found {
				return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("%s names %s, where %q has no image", flag, name, p.Name), Fix: "use the name or the binding of an image of the kernel"}
			}
		}
	}
	return nil
}

// imageWords makes the words of an image from what --image says.
func (r *Request) imageWords(b *tree.Buffer) ([]uint32, error) {
	what, given := named(r.Images, b)
	label := b.Name
	if b.Image.Unit >= 0 {
		label = strconv.Itoa(b.Image.Unit)
	}
	if !given {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q has no size", b.Name), Fix: fmt.Sprintf("give --image %s=FILE.png, --image %s=640x480 for an empty one, or --image %s=FILE:640x480 for raw texels", label, label, label)}
	}
	if size, err := extentOf(what); err == nil {
		return blank(b, size)
	}
	path, size, raw := what, [3]uint32{}, false
	if i := strings.LastIndexByte(what, ':'); i > 0 {
		if s, err := extentOf(what[i+1:]); err == nil {
			path, size, raw = what[:i], s, true
		}
	}
	f, err := plainfile.Open(path)
	if err != nil {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s cannot be read", b.Name, path), Cause: err, Fix: "name a file that you may read, or a size such as 640x480"}
	}
	defer f.Close()
	if raw {
		return rawImage(b, f, size)
	}
	return pngImage(b, f)
}

// extentOf parses W, WxH or WxHxD.
func extentOf(text string) (size [3]uint32, err error) {
	size = [3]uint32{1, 1, 1}
	parts := strings.Split(text, "x")
	if len(parts) > 3 {
		return size, strconv.ErrSyntax
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || n == 0 {
			return size, strconv.ErrSyntax
		}
		size[i] = uint32(n)
	}
	return size, nil
}

// blank makes an image of zeros.
func blank(b *tree.Buffer, size [3]uint32) ([]uint32, error) {
	count := uint64(size[0]) * uint64(size[1])
	if count <= maxTexels {
		count *= uint64(size[2])
	}
	if count > maxTexels {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q of %d x %d x %d texels is too large", b.Name, size[0], size[1], size[2]), Fix: fmt.Sprintf("use at most %d texels", maxTexels)}
	}
	words := make([]uint32, headWords+(int(count)+beyond)*b.Image.Components)
	copy(words, []uint32{size[0], size[1], size[2], uint32(count)})
	return words, nil
}

// rawImage fills an image with texels as they are: little-endian words, one for each component.
func rawImage(b *tree.Buffer, f *os.File, size [3]uint32) ([]uint32, error) {
	words, err := blank(b, size)
	if err != nil {
		return nil, err
	}
	texels := words[headWords : len(words)-beyond*b.Image.Components]
	info, err := f.Stat()
	if err == nil && info.Size() != int64(wordBytes*len(texels)) {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s has %d bytes, and %d texels of %d components take %d", b.Name, f.Name(), info.Size(), words[3], b.Image.Components, wordBytes*len(texels)), Fix: "give the size that the file has; a component is 32 bits"}
	}
	if err == nil {
		err = binary.Read(f, binary.LittleEndian, texels)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s cannot be read", b.Name, f.Name()), Cause: err, Fix: "name a file that you may read, or a size such as 640x480"}
	}
	return words, nil
}

// pngImage fills an image with the pixels of a PNG file, the first row first. As floats they are between 0 and 1.
func pngImage(b *tree.Buffer, f *os.File) ([]uint32, error) {
	bad := func(err error) error {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s is not a PNG file", b.Name, f.Name()), Cause: err, Fix: "give a PNG file, or raw texels with their size as FILE:640x480"}
	}
	head, err := png.DecodeConfig(f)
	if err != nil {
		return nil, bad(err)
	}
	words, err := blank(b, [3]uint32{uint32(head.Width), uint32(head.Height), 1})
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, bad(err)
	}
	picture, err := png.Decode(bufio.NewReader(f))
	if err != nil {
		return nil, bad(err)
	}
	deep := head.ColorModel == color.Gray16Model || head.ColorModel == color.RGBA64Model || head.ColorModel == color.NRGBA64Model
	at := headWords
	for y := range head.Height {
		for x := range head.Width {
			pixel := pixelOf(picture.At(picture.Bounds().Min.X+x, picture.Bounds().Min.Y+y), deep)
			for i := range b.Image.Components {
				words[at+i] = componentOf(b.Image.Kind, pixel[i], deep)
			}
			at += b.Image.Components
		}
	}
	return words, nil
}

// pixelOf gives the components of a color, not multiplied with its opacity.
func pixelOf(c color.Color, deep bool) [4]uint32 {
	if deep {
		p := color.NRGBA64Model.Convert(c).(color.NRGBA64)
		return [4]uint32{uint32(p.R), uint32(p.G), uint32(p.B), uint32(p.A)}
	}
	p := color.NRGBAModel.Convert(c).(color.NRGBA)
	return [4]uint32{uint32(p.R), uint32(p.G), uint32(p.B), uint32(p.A)}
}

func componentOf(k tree.Kind, v uint32, deep bool) uint32 {
	if k != tree.KindFloat {
		return v
	}
	if deep {
		return math.Float32bits(float32(v) / math.MaxUint16)
	}
	return math.Float32bits(float32(v) / math.MaxUint8)
}

// saveImages writes the images that the request wants.
func (r *Request) saveImages(ctx context.Context, p *engine.Program, blocks []block, buffers []engine.Binding) error {
	for i, bl := range blocks {
		b := imageBlock(p, bl.spec.Binding)
		if b == nil {
			continue
		}
		path, wanted := named(r.Saves, b)
		if !wanted {
			continue
		}
		words := make([]uint32, bl.bytes/wordBytes)
		if err := buffers[i].Buffer.Download(ctx, 0, words); err != nil {
			return err
		}
		if err := saveImage(b, path, words); err != nil {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q cannot be written to %s", b.Name, path), Cause: err, Fix: "name a file in a folder that you may write"}
		}
	}
	return nil
}

// saveImage writes a PNG file where the name says so, with the layers of an image one below the other, and raw texels elsewhere.
func saveImage(b *tree.Buffer, path string, words []uint32) error {
	n := b.Image.Components
	texels := words[headWords : len(words)-beyond*n]
	if !strings.EqualFold(filepath.Ext(path), ".png") {
		out := make([]byte, 0, wordBytes*len(texels))
		for _, w := range texels {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
		return os.WriteFile(path, out, 0o666)
	}
	width, height := int(words[0]), int(words[1]*words[2])
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		pixel := []uint8{0, 0, 0, math.MaxUint8}
		for k := range n {
			pixel[k] = byteOf(b.Image.Kind, texels[i*n+k])
		}
		if n == 1 {
			pixel[1], pixel[2] = pixel[0], pixel[0]
		}
		copy(picture.Pix[4*i:], pixel)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}

// byteOf rounds a component to eight bits: a float from 0 to 1, an integer from 0 to 255.
func byteOf(k tree.Kind, w uint32) uint8 {
	switch k {
	case tree.KindFloat:
		f := math.Float32frombits(w)
		if !(f > 0) { // NaN too
			return 0
		}
		return uint8(min(float64(f), 1)*math.MaxUint8 + 0.5)
	case tree.KindInt:
		return uint8(min(max(int32(w), 0), math.MaxUint8))
	}
	return uint8(min(w, math.MaxUint8))
}
