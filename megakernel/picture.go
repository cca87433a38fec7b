package megakernel

import "math"

// PixelFormat says what the words of a pixel are.
type PixelFormat string

// The formats.
const (
	RGBA8   PixelFormat = "rgba8"   // a word, red in its lowest byte
	RGBA32F PixelFormat = "rgba32f" // four floats, 0 to 1
	R32F    PixelFormat = "r32f"    // a float
	R32UI   PixelFormat = "r32ui"   // an integer
)

// PixelFormats are all formats.
var PixelFormats = []PixelFormat{RGBA8, RGBA32F, R32F, R32UI}

// Words is how many words a pixel has; 0 for what is not a format.
func (f PixelFormat) Words() int {
	switch f {
	case RGBA8, R32F, R32UI:
		return 1
	case RGBA32F:
		return 4
	}
	return 0
}

// Scalar reports whether a pixel is one number, which has to be compared with others to be a shade.
func (f PixelFormat) Scalar() bool { return f == R32F || f == R32UI }

// MaxPictureEdge bounds the width and the height of a picture.
const MaxPictureEdge = 1 << 16

// Picture says how the words of a buffer are a picture: row by row from the top, pixels from the left.
type Picture struct {
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Format PixelFormat `json:"format"`
	First  int         `json:"first,omitempty"`  // word of the first pixel
	Mean   bool        `json:"mean,omitempty"`   // of rgba32f: red, green and blue are sums; the fourth float is how many were added
	Linear bool        `json:"linear,omitempty"` // of floats: amounts of light, which are shown encoded as sRGB
}

// Fits reports whether a buffer of that many words has all pixels, and the picture makes sense.
func (p *Picture) Fits(words int) bool {
	if p.Width < 1 || p.Width > MaxPictureEdge || p.Height < 1 || p.Height > MaxPictureEdge || p.First < 0 || p.Format.Words() == 0 {
		return false
	}
	return p.First <= words && p.Width*p.Height*p.Format.Words() <= words-p.First
}

// At is the first word of a pixel.
func (p *Picture) At(x, y int) int { return p.First + (y*p.Width+x)*p.Format.Words() }

// Value is the number of a scalar pixel.
func (p *Picture) Value(word uint32) float64 {
	if p.Format == R32F {
		return float64(math.Float32frombits(word))
	}
	return float64(word)
}

// Color is the color of a pixel of these words. Scalar ones are gray: black at low, white at high.
func (p *Picture) Color(words []uint32, low, high float64) (r, g, b uint8) {
	switch p.Format {
	case RGBA8:
		return uint8(words[0]), uint8(words[0] >> 8), uint8(words[0] >> 16)
	case RGBA32F:
		n := float32(1)
		if p.Mean {
			n = max(math.Float32frombits(words[3]), 1)
		}
		return p.channel(words[0], n), p.channel(words[1], n), p.channel(words[2], n)
	}
	v := uint8(0)
	if at := (p.Value(words[0]) - low) / (high - low); at > 0 {
		v = uint8(min(at, 1)*255 + 0.5)
	}
	return v, v, v
}

// channel is the nth part of a float's bits as 8 bits; what is not a number is 0.
func (p *Picture) channel(bits uint32, n float32) uint8 {
	v := float64(math.Float32frombits(bits) / n)
	switch {
	case !(v > 0):
		return 0
	case v >= 1:
		return 255
	case !p.Linear:
		return uint8(v*255 + 0.5)
	}
	return encodeSRGB(v)
}

// encodeSRGB is the sRGB value, IEC 61966-2-1, of an amount of light between 0 and 1.
func encodeSRGB(v float64) uint8 {
	if v <= 0.0031308 {
		return uint8(v*12.92*255 + 0.5)
	}
	return uint8((1.055*math.Pow(v, 1/2.4)-0.055)*255 + 0.5)
}
