package dispatch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/plainfile"
)

// maxPicture bounds a PNG file, and the memory that it takes decoded: a file of 8 KB can ask for gigabytes.
const maxPicture = 128 << 20

// open opens the file of an image and reads its head: the size of a PNG or OpenEXR file becomes that of the image.
func (p *picture) open() (*os.File, error) {
	f, err := plainfile.Open(p.path)
	if err != nil {
		return nil, p.unreadable(err)
	}
	switch {
	case p.raw:
		err = p.checkRaw(f)
	case isEXR(f):
		err = p.checkEXR(f)
	default:
		err = p.checkPNG(f)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

func (p *picture) unreadable(err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s cannot be read", p.of.Name, p.path), Cause: err, Fix: "name a file that you may read, or a size such as 640x480"}
}

// checkRaw refuses a file of another size than that of its texels.
func (p *picture) checkRaw(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return p.unreadable(err)
	}
	if bytes := int64(wordBytes * p.first * p.of.Image.Components); info.Size() != bytes {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s has %d bytes, and %d texels of %d components take %d", p.of.Name, p.path, info.Size(), p.first, p.of.Image.Components, bytes), Fix: "give the size that the file has; a component is 32 bits"}
	}
	return nil
}

func (p *picture) notPNG(err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s is neither a PNG nor an OpenEXR file", p.of.Name, p.path), Cause: err, Fix: "give a PNG or OpenEXR file, or raw texels with their size as FILE:640x480"}
}

// damaged says that a picture begins as a PNG file does, and cannot be decoded.
func (p *picture) damaged(err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s cannot be decoded", p.of.Name, p.path), Cause: err, Fix: "give a PNG file that is whole"}
}

// checkPNG refuses a picture that is too large before it is decoded, and one that has become another since its size was read.
func (p *picture) checkPNG(f *os.File) error {
	head, err := png.DecodeConfig(f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return p.notPNG(err)
	}
	size := [3]uint32{uint32(head.Width), uint32(head.Height), 1}
	if p.first > 0 && size != p.size {
		return p.damaged(errors.New("it has changed while it was read"))
	}
	p.size = size
	if err := p.bound(); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return p.unreadable(err)
	}
	pixel := int64(4)
	if isDeep(head.ColorModel) {
		pixel = 8
	}
	if decoded := pixel * int64(p.first); info.Size() > maxPicture || decoded > maxPicture {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q: %s has %d bytes, and %d decoded; at most %d are read", p.of.Name, p.path, info.Size(), decoded, maxPicture), Fix: "give a smaller picture, or raw texels with their size as FILE:640x480"}
	}
	return nil
}

func isDeep(m color.Model) bool {
	return m == color.Gray16Model || m == color.RGBA64Model || m == color.NRGBA64Model
}

// upload fills the buffer of an image: its head, its texels, and zeros behind them. Of one that was just made the zeros are there.
func (p *picture) upload(ctx context.Context, buf engine.Buffer, fresh bool) error {
	out := &uploader{ctx: ctx, buf: buf, words: make([]uint32, 0, chunkWords)}
	out.add(p.size[0], p.size[1], p.size[2], uint32(p.count))
	if p.of.Image.Filtered() {
		out.add(p.sampler.words(p.of.Image.Kind, p.levels)...)
	}
	if p.path != "" || len(p.more) > 0 {
		if err := p.fill(out); err != nil {
			return err
		}
		if err := p.addLevels(ctx, buf, out); err != nil {
			return err
		}
	}
	if out.flush(); out.err != nil || fresh {
		return out.err
	}
	return zeroFrom(ctx, buf, out.at)
}

// fillRaw copies texels as they are: little-endian words, one for each component.
func (p *picture) fillRaw(f *os.File, out *uploader) error {
	in := bufio.NewReader(f)
	chunk, words := make([]byte, chunkWords*wordBytes), make([]uint32, chunkWords)
	for left := p.first * p.of.Image.Components; left > 0 && out.err == nil; {
		part := chunk[:min(left, chunkWords)*wordBytes]
		if _, err := io.ReadFull(in, part); err != nil {
			return p.unreadable(err)
		}
		out.add(fromBytes(words, part)...)
		left -= len(part) / wordBytes
	}
	return out.err
}

// fillPNG copies the pixels of a PNG file, the first row first. As floats they are between 0 and 1.
func (p *picture) fillPNG(f *os.File, out *uploader) error {
	decoded, err := png.Decode(bufio.NewReader(io.LimitReader(f, maxPicture)))
	if err != nil {
		return p.damaged(err)
	}
	from, deep := decoded.Bounds(), isDeep(decoded.ColorModel())
	var words [4]uint32
	for y := range int(p.size[1]) {
		for x := range int(p.size[0]) {
			pixel := pixelOf(decoded.At(from.Min.X+x, from.Min.Y+y), deep)
			for i := range p.of.Image.Components {
				words[i] = componentOf(p.of.Image.Kind, pixel[i], deep)
			}
			out.add(words[:p.of.Image.Components]...)
		}
		if out.err != nil {
			return out.err
		}
	}
	return nil
}

// uploader writes words to a buffer from its beginning on, in chunks. The first error is kept.
type uploader struct {
	ctx   context.Context
	buf   engine.Buffer
	at    int // words that were uploaded
	words []uint32
	err   error
}

func (u *uploader) add(words ...uint32) {
	if u.words = append(u.words, words...); len(u.words) >= chunkWords {
		u.flush()
	}
}

func (u *uploader) flush() {
	if u.err == nil && len(u.words) > 0 {
		u.err = u.buf.Upload(u.ctx, u.at, u.words)
	}
	u.at += len(u.words)
	u.words = u.words[:0]
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

// save writes a PNG or an OpenEXR file where the name says so, with the layers of an image one below the other, and raw texels elsewhere.
func (p *picture) save(ctx context.Context, buf engine.Buffer, path string) error {
	n := p.of.Image.Components
	switch ext := filepath.Ext(path); {
	case strings.EqualFold(ext, ".exr"):
		return p.saveEXR(path, func(take func([]uint32) error) error { return p.download(ctx, buf, take) })
	case !strings.EqualFold(ext, ".png"):
		chunk := make([]byte, 0, chunkWords*wordBytes)
		return plainfile.Put(path, plainfile.OutputMode, func(w io.Writer) error {
			return p.download(ctx, buf, func(words []uint32) error {
				chunk = engine.AppendWords(chunk[:0], words)
				_, err := w.Write(chunk)
				return err
			})
		})
	}
	drawn := image.NewNRGBA(image.Rect(0, 0, int(p.size[0]), int(p.size[1])*int(p.size[2]*p.times)))
	at := 0
	err := p.download(ctx, buf, func(words []uint32) error {
		for ; len(words) > 0; words, at = words[n:], at+4 {
			pixel := [4]uint8{0, 0, 0, math.MaxUint8}
			for k := range n {
				pixel[k] = byteOf(p.of.Image.Kind, words[k])
			}
			if n == 1 {
				pixel[1], pixel[2] = pixel[0], pixel[0]
			}
			copy(drawn.Pix[at:], pixel[:])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return plainfile.Put(path, plainfile.OutputMode, func(w io.Writer) error { return png.Encode(w, drawn) })
}

// download gives the words of whole texels, in chunks.
func (p *picture) download(ctx context.Context, buf engine.Buffer, take func([]uint32) error) error {
	n := p.of.Image.Components
	end := p.head() + p.first*n
	words := make([]uint32, chunkWords/n*n)
	for at := p.head(); at < end; at += len(words) {
		words = words[:min(len(words), end-at)]
		if err := buf.Download(ctx, at, words); err != nil {
			return err
		}
		if err := take(words); err != nil {
			return err
		}
	}
	return nil
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
