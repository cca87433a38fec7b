package dispatch

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
)

// What comes before the texels: the size, and their number; of a texture that is sampled also how, and its border.
const (
	headWords    = 4
	samplerWords = 8
)

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

// names reports whether a name is that of an image, or its binding in the text.
func names(b *tree.Buffer, name string) bool {
	return b.Name == name || strconv.Itoa(b.Image.Unit) == name
}

// checkImages refuses names that no image has.
func (r *Request) checkImages(p *engine.Program) error {
	for flag, list := range map[string]map[string]string{"--image": r.Images, "--save": r.Saves, "--sampler": r.Samplers} {
		for _, name := range keys(list) {
			found := p.Tree != nil && slices.ContainsFunc(p.Tree.Buffers, func(b *tree.Buffer) bool {
				return b.Image != nil && (flag != "--sampler" || b.Image.Filtered()) && (names(b, name) || flag == "--sampler" && b.Image.Sampler == name || flag == "--image" && namesLevel(b, name))
			})
			if !found {
				kind := "image"
				if flag == "--sampler" {
					kind = "texture that is sampled"
				}
				return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("%s names %s, where %q has no %s", flag, name, p.Name, kind), Fix: "use the name or the binding of one of the kernel"}
			}
		}
	}
	return r.checkSaves()
}

// otherPictures are the names of pictures that vyretop does not write: raw texels under such a name would not open.
var otherPictures = regexp.MustCompile(`(?i)\.(jpe?g|gif|bmp|tiff?|tga|webp|hdr|dds|ktx2?|ppm|pgm|pfm|qoi)$`)

// checkSaves refuses the names of pictures that are not written.
func (r *Request) checkSaves() error {
	for _, name := range keys(r.Saves) {
		if kind := otherPictures.FindString(r.Saves[name]); kind != "" {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("--save %s=%s: images are not written as %s", name, r.Saves[name], kind), Fix: "name a .png or .exr file, or one ending with .raw for raw texels"}
		}
	}
	return nil
}

// picture is where the texels of an image come from.
type picture struct {
	of    *tree.Buffer
	size  [3]uint32
	times uint32 // samples of a texel
	first int    // texels of the first level, or of all samples
	count int    // of texels
	path  string // "" for zeros
	raw   bool   // the file has texels as they are; else it is a PNG or OpenEXR file
	exr   *exrHead

	sampler sampler
	levels  int
	more    []*picture // further levels that are given
}

// head is how many words come before the texels.
func (p *picture) head() int {
	if p.of.Image.Filtered() {
		return headWords + samplerWords
	}
	return headWords
}

// picture decides the size of an image from what --image says. Of a file its head is read.
func (r *Request) picture(b *tree.Buffer) (*picture, error) {
	what, given := named(r.Images, b)
	if !given {
		label := b.Name
		if b.Image.Unit >= 0 {
			label = strconv.Itoa(b.Image.Unit)
		}
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q has no size", b.Name), Fix: fmt.Sprintf("give --image %s=FILE.png, --image %s=640x480 for an empty one, or --image %s=FILE:640x480 for raw texels", label, label, label)}
	}
	if err := r.checkTwice(b); err != nil {
		return nil, err
	}
	s, err := r.samplerOf(b)
	if err != nil {
		return nil, err
	}
	p, err := pictureOf(b, what, s)
	if err != nil {
		return nil, err
	}
	return p, r.addGiven(p)
}

// checkTwice refuses an image whose words a file or a size of its buffer gives as well.
func (r *Request) checkTwice(b *tree.Buffer) error {
	flag := "--in"
	if _, ok := r.Inputs[uint32(b.Binding)]; !ok {
		if _, ok := r.Sizes[uint32(b.Binding)]; !ok {
			return nil
		}
		flag = "--size"
	}
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("--image and %s both fill the image %q at binding %d", flag, b.Name, b.Binding), Fix: "leave out " + flag}
}

// pictureOf decides the size of an image, or of a level of a texture.
func pictureOf(b *tree.Buffer, what string, s sampler) (*picture, error) {
	p := &picture{of: b, path: what, sampler: s, times: 1}
	if p.extent(what) {
		p.path = ""
		return p, p.bound()
	}
	i := strings.LastIndexByte(what, ':')
	if i > 0 && p.extent(what[i+1:]) {
		p.path, p.raw = what[:i], true
	}
	if size := what[i+1:]; !p.raw && sizeForm.MatchString(size) {
		if hugeForm.MatchString(size) {
			return nil, p.tooLarge(strings.ReplaceAll(size, "x", " x ") + " texels")
		}
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("invalid size %q of the image %q: %s has %d axes, samples included, each with at least one texel", size, b.Name, b.Image.Type, axesOf(b.Image)),
			Fix: "give a size such as 640x480"}
	}
	if p.raw {
		if err := p.bound(); err != nil {
			return nil, err
		}
	}
	f, err := p.open()
	if err == nil {
		_ = f.Close() // nothing was written
	}
	return p, err
}

// bound refuses an image of too many texels, and counts them.
func (p *picture) bound() error {
	count := uint64(p.size[0]) * uint64(p.size[1])
	for _, n := range []uint32{p.size[2], p.times} {
		if count <= maxTexels {
			count *= uint64(n)
		}
	}
	if count > maxTexels {
		return p.tooLarge(p.extents())
	}
	p.first, p.count, p.levels = int(count), int(count), 1
	for _, m := range p.more {
		p.levels, p.count = p.levels+1, p.count+m.first
	}
	if p.sampler.mipmaps {
		p.levels, p.count = levelCount(p.size, p.of.Image.Axes())
	}
	return nil
}

func (p *picture) tooLarge(size string) error {
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q of %s is too large", p.of.Name, size), Fix: fmt.Sprintf("use at most %d texels", maxTexels)}
}

// bytes is the size of the image's buffer.
func (p *picture) bytes() uint64 {
	return uint64(p.head()+(p.count+beyond)*p.of.Image.Components) * wordBytes
}

// fits refuses an image that the device does not take: most is its largest buffer.
func (p *picture) fits(most uint64) error {
	bytes := p.bytes()
	if bytes <= most {
		return nil
	}
	texel := uint64(p.of.Image.Components) * wordBytes
	texels := uint64(0)
	if around := bytes - uint64(p.count)*texel; most > around {
		texels = (most - around) / texel
	}
	return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q of %s takes a buffer of %d bytes, a buffer of this device has at most %d", p.of.Name, p.extents(), bytes, most),
		Fix: fmt.Sprintf("use at most %d texels, those of all levels and samples together, or --backend reference", texels)}
}

// extents writes the size of the image.
func (p *picture) extents() string {
	size := fmt.Sprintf("%d x %d x %d texels", p.size[0], p.size[1], p.size[2])
	if p.times > 1 {
		size += fmt.Sprintf(" with %d samples", p.times)
	}
	return size
}

// sizeForm is what a size looks like.
var sizeForm = regexp.MustCompile(`^[0-9]+(x[0-9]+)+$`)

// hugeForm is what a size has that no image can have: a number of ten digits or more.
var hugeForm = regexp.MustCompile(`[1-9][0-9]{9}`)

// axesOf is how many numbers the size of an image may have.
func axesOf(im *tree.Image) int {
	switch {
	case im.Multisampled():
		return im.SizeWidth + 1
	case strings.HasPrefix(im.Form(), "Cube"):
		return 3
	}
	return im.SizeWidth
}

// extent takes W, WxH or WxHxD for the size; behind that of an image with several samples may be their number.
func (p *picture) extent(text string) bool {
	parts, most := strings.Split(text, "x"), axesOf(p.of.Image)
	if len(parts) > max(most, 3) {
		return false
	}
	numbers := [4]uint32{1, 1, 1, 1}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || n == 0 || i >= most && n > 1 {
			return false
		}
		numbers[i] = uint32(n)
	}
	p.size = [3]uint32(numbers[:3])
	if p.of.Image.Multisampled() {
		p.times, p.size[2] = numbers[most-1], 1
		if most == 4 {
			p.size[2] = numbers[2]
		}
	}
	return true
}

// workgroupOf is the workgroup size as the kernel sees it.
func workgroupOf(p *engine.Program, size [3]uint32) [3]uint32 {
	if p.Tree != nil && p.Tree.Shape != [3]uint32{} {
		return p.Tree.Shape
	}
	return size
}

// imageGrid is the grid with an invocation for each texel of the largest output, where that is an image and the workgroup has
// several axes: the kernel takes those for the axes of the image. ok is false for others, whose invocations are counted along x.
func imageGrid(blocks []block, workgroup [3]uint32) (grid [3]uint32, ok bool) {
	var largest *picture
	most := 0
	for _, b := range blocks {
		switch {
		case b.spec.Access == engine.ReadOnly:
		case b.image == nil && b.spec.Elements(int(b.bytes/wordBytes)) > most:
			largest, most = nil, b.spec.Elements(int(b.bytes/wordBytes))
		case b.image != nil && b.image.first > most:
			largest, most = b.image, b.image.first
		}
	}
	if largest == nil || workgroup[1] == 1 && workgroup[2] == 1 {
		return grid, false
	}
	for i, n := range largest.size {
		grid[i] = (n + workgroup[i] - 1) / workgroup[i]
	}
	return grid, true
}

// Saved is an image that became a file.
type Saved struct {
	Name string    `json:"name"`
	File string    `json:"file"`
	Size [3]uint32 `json:"size"` // in texels
}

// saveImages writes the images that the request wants.
func (r *Request) saveImages(ctx context.Context, blocks []block, buffers []engine.Binding) (saved []Saved, err error) {
	for i, bl := range blocks {
		if bl.image == nil {
			continue
		}
		path, wanted := named(r.Saves, bl.image.of)
		if !wanted {
			continue
		}
		if err := bl.image.save(ctx, buffers[i].Buffer, path); err != nil {
			return saved, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the image %q cannot be written to %s", bl.image.of.Name, path), Cause: err, Fix: "name a file in a folder that you may write"}
		}
		saved = append(saved, Saved{Name: bl.image.of.Name, File: path, Size: bl.image.size})
	}
	return saved, nil
}
