package tui

import (
	"context"
	"math"
	"testing"

	"vyretop/megakernel"
)

// painterTarget is a fake whose buffers are pictures, and which counts the words that are read of them.
type painterTarget struct {
	*fakeTarget
	pictures []megakernel.BufferInfo
	words    map[string][]uint32
	read     int
}

func (o *painterTarget) Buffers() []megakernel.BufferInfo { return o.pictures }

func (o *painterTarget) ReadBuffer(_ context.Context, name string, first int, dst []uint32) error {
	o.read += len(dst)
	copy(dst, o.words[name][first:])
	return nil
}

// newPainterTarget has a picture of 64 by 40 pixels, red to the right and green below, and a larger one of single numbers.
func newPainterTarget() *painterTarget {
	o := &painterTarget{fakeTarget: newFake(), words: map[string][]uint32{"rgb": make([]uint32, 64*40), "depth": make([]uint32, 3+4096*1024)}}
	for i := range o.words["rgb"] {
		o.words["rgb"][i] = uint32(i%64)*4 | uint32(i/64)*6<<8
	}
	for i := range o.words["depth"] {
		o.words["depth"][i] = math.Float32bits(float32(i % 4096))
	}
	o.pictures = []megakernel.BufferInfo{
		{Name: "rgb", Binding: 8, Words: 64 * 40, Picture: &megakernel.Picture{Width: 64, Height: 40, Format: megakernel.RGBA8}},
		{Name: "depth", Binding: 9, Words: 3 + 4096*1024, Picture: &megakernel.Picture{Width: 4096, Height: 1024, First: 3, Format: megakernel.R32F}},
		{Name: "odd", Binding: 10, Words: 3, Picture: &megakernel.Picture{Width: 2, Height: 2, Format: megakernel.RGBA8}},
	}
	return o
}

// A picture is shown with the words of the pixel under the cursor; it is enlarged around that, and a pixel leads to its words.
func TestImageShowsPictures(t *testing.T) {
	o := newPainterTarget()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	d.wantOnScreen("#img")
	d.keys("#")
	d.wantOnScreen("Image: rgb", "64 x 40 rgba8, 1 of 2", "Pixel  32, 20", "rgb[1312]", "#807800")
	d.keys("up", ">", "+")
	d.wantOnScreen("enlarged 2 times", "Pixel  33, 18", "#846c00")
	d.keys("G")
	d.wantOnScreen("Pixel  63, 39", "#fcea00")
	d.keys("enter")
	d.wantOnScreen("Memory: rgb", "words 2048..2559 of 2560")
}

// Of a large picture no more is read than the rows in sight; single numbers are gray between the least and the largest.
func TestImageReadsWhatIsInSight(t *testing.T) {
	o := newPainterTarget()
	d := newDriver(t, 120, 40, Options{Source: o, Sink: o.fakeTarget})
	d.keys("#", "v")
	d.wantOnScreen("Image: depth", "4096 x 1024 r32f", "depth[2099203]", "2051", "black, white")
	if o.read > 100*4096 {
		t.Errorf("%d words were read for %d rows", o.read, 2*30)
	}
	d.keys("+", "+", "+", "+", "+", "+", "+", "+", "+", "+")
	d.wantOnScreen("Pixel  2048, 512")
	d.keys("esc", ":", "i", "m", "a", "g", "e", "space", "r", "g", "b", "enter")
	d.wantOnScreen("Image: rgb")
}

// A target without pictures has no such tab; the key says how there would be one.
func TestImageWithoutPictures(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.wantNotOnScreen("#img")
	d.keys("#")
	d.wantOnScreen("No buffer of this target is a picture")
}
