package dispatch

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
)

// sampler says how a texture is sampled. The zero value is what OpenGL begins with: linear and repeated.
type sampler struct {
	nearest   bool
	wrap      [3]uint32 // by axis: a place in wrapModes
	border    [4]float64
	mipmaps   bool
	nearLevel bool // one level is read, and not a mix of two
	compare   int  // a place in compareFunctions
}

// compareFunctions are the names of what a reference is to a texel, in the order of their numbers in kernels.
var compareFunctions = []string{"lequal", "gequal", "less", "greater", "equal", "notequal", "always", "never"}

// wrapModes are the names of the wrap modes, in the order of their numbers in kernels.
var wrapModes = []string{"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border", "mirror_clamp_to_edge"}

const samplerFix = "write a filter (nearest, linear), a wrap mode for all axes or one for each (repeat, mirrored_repeat, clamp_to_edge, clamp_to_border, mirror_clamp_to_edge), border=R:G:B:A, mipmaps or mipmaps=nearest, compare=FUNCTION (lequal, gequal, less, greater, equal, notequal, always, never), separated by commas"

// samplerOf parses what --sampler says of a texture.
func (r *Request) samplerOf(b *tree.Buffer) (s sampler, err error) {
	text, given := named(r.Samplers, b)
	if !given && b.Image.Sampler != "" {
		text, given = r.Samplers[b.Image.Sampler]
	}
	if !given {
		return s, nil
	}
	axes := 0
	for word := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(word), "-", "_"), "=")
		good := value == "" || key == "border" || key == "mipmaps" || key == "compare"
		switch key {
		case "nearest", "linear":
			s.nearest = key == "nearest"
		case "mipmaps":
			s.mipmaps, s.nearLevel = true, value == "nearest"
			good = value == "" || value == "nearest" || value == "linear"
		case "border":
			good = s.setBorder(value)
		case "compare":
			s.compare = slices.Index(compareFunctions, value)
			good = s.compare >= 0 && b.Image.Compares()
		default:
			good = good && axes < len(s.wrap) && s.setWrap(key, axes)
			axes++
		}
		if !good {
			return s, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("invalid --sampler for %q: %q is not a setting of a texture", b.Name, word), Fix: samplerFix}
		}
	}
	return s, nil
}

// setWrap sets the mode of an axis, and of those behind it.
func (s *sampler) setWrap(word string, axis int) bool {
	for i, mode := range wrapModes {
		if mode == word {
			for ; axis < len(s.wrap); axis++ {
				s.wrap[axis] = uint32(i)
			}
			return true
		}
	}
	return false
}

func (s *sampler) setBorder(text string) bool {
	parts := strings.Split(text, ":")
	if len(parts) != len(s.border) {
		return false
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return false
		}
		s.border[i] = v
	}
	return true
}

// words are the words by which a kernel samples a texture of some levels: the filter, the modes, the further levels, their filter, and the border.
func (s *sampler) words(k tree.Kind, levels int) []uint32 {
	words := []uint32{0, s.wrap[0] | s.wrap[1]<<4 | s.wrap[2]<<8 | uint32(s.compare)<<16, uint32(levels - 1), 0}
	if s.nearest {
		words[0] = 1
	}
	if s.nearLevel {
		words[3] = 1
	}
	for _, v := range s.border {
		switch k {
		case tree.KindFloat:
			words = append(words, math.Float32bits(float32(v)))
		case tree.KindInt:
			words = append(words, uint32(int32(min(max(v, math.MinInt32), math.MaxInt32))))
		default:
			words = append(words, uint32(min(max(v, 0), math.MaxUint32)))
		}
	}
	return words
}

// level is one level of a texture.
type level struct {
	size  [3]uint32
	words []uint32
}

// levelSize is the size of the level behind one of some size; layers stay.
func levelSize(size [3]uint32, axes int) [3]uint32 {
	for i := range axes {
		size[i] = max(size[i]/2, 1)
	}
	return size
}

// levelCount is how many levels a texture has, and the number of their texels.
func levelCount(size [3]uint32, axes int) (levels, texels int) {
	for {
		levels++
		texels += int(size[0]) * int(size[1]) * int(size[2])
		next := levelSize(size, axes)
		if next == size {
			return levels, texels
		}
		size = next
	}
}

// smaller makes the next level: a texel is the mean of two along each axis, the first axis first. Of integers it is the first.
func (l *level) smaller(of *tree.Image) *level {
	n := of.Components
	for axis := range of.Axes() {
		size := l.size
		size[axis] = max(size[axis]/2, 1)
		out := &level{size: size, words: make([]uint32, 0, int(size[0])*int(size[1])*int(size[2])*n)}
		for i := range size[0] * size[1] * size[2] {
			at := [3]uint32{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
			at[axis] *= 2
			a := l.texel(at, n)
			at[axis] = min(at[axis]+1, l.size[axis]-1)
			out.words = append(out.words, mean(of.Kind, a, l.texel(at, n))...)
		}
		l = out
	}
	return l
}

func (l *level) texel(at [3]uint32, n int) []uint32 {
	i := int((at[2]*l.size[1]+at[1])*l.size[0]+at[0]) * n
	return l.words[i : i+n]
}

// mean is the mean of two texels.
func mean(k tree.Kind, a, b []uint32) []uint32 {
	if k != tree.KindFloat {
		return a
	}
	out := make([]uint32, len(a))
	for i := range a {
		out[i] = math.Float32bits((math.Float32frombits(a[i]) + math.Float32frombits(b[i])) * 0.5)
	}
	return out
}
