package kernel

import (
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
)

// nested has every form of member: scalars of all kinds, vectors with and without padding, arrays of arrays, structures in
// structures, and an array as long as its buffer.
const nested = `#version 450
layout(local_size_x = 1) in;
struct Inner { vec3 at; int sign; bool on; };
struct Outer { uint id; Inner parts[2]; vec2 size[3][2]; float last; };
struct Long { float f; dvec3 at; double sums[2]; };
layout(std430, binding = 8) buffer Things { uint used; ivec2 corner; Outer things[]; };
layout(std430, binding = 11) buffer Longs { int count; Long longs[2]; };
layout(std430, binding = 9) buffer Plain { float plain[7]; } named;
void main() { used = 1u; named.plain[0] = 1.0; count = 1; }
`

func layouts(t *testing.T) []megakernel.BufferInfo {
	t.Helper()
	p, err := engine.CompileText("nested", nested)
	if err != nil {
		t.Fatal(err)
	}
	k := &Kernel{Program: p}
	return []megakernel.BufferInfo{
		{Name: "things", Binding: 8, Words: 4 + 2*36 + 1, Layout: k.BufferLayout(8)}, {Name: "plain", Binding: 9, Words: 7, Layout: k.BufferLayout(9)},
		{Name: "longs", Binding: 11, Words: 8 + 2*24, Layout: k.BufferLayout(11)},
		{Name: "other", Binding: 10, Words: 3, Layout: k.BufferLayout(10)},
	}
}

// TestWordsHaveTheirDeclaredNames: offsets as std430 has them, worked out by hand.
func TestWordsHaveTheirDeclaredNames(t *testing.T) {
	list := layouts(t)
	for want, at := range map[string]struct{ buffer, word int }{
		"used uint":                     {0, 0},
		" padding ":                     {0, 1},
		"corner.x int":                  {0, 2},
		"things[0].id uint":             {0, 4},
		"things[0] padding ":            {0, 5},
		"things[0].parts[0].at.z float": {0, 10},
		"things[0].parts[0].sign int":   {0, 11},
		"things[0].parts[1].on bool":    {0, 20},
		"things[0].parts[1] padding ":   {0, 21},
		"things[0].size[2][1].y float":  {0, 35},
		"things[0].last float":          {0, 36},
		"things[1].id uint":             {0, 40},
		"plain[6] float":                {1, 6},
		"longs[0].f float":              {2, 8},
		"longs[0].at.x.low uint":        {2, 16},
		"longs[1].at.z.high uint":       {2, 45},
		"longs[1].sums[1].low uint":     {2, 48},
		"word[2] ":                      {3, 2},
	} {
		name, kind := words.OwnName(&list[at.buffer], at.word)
		if got := name + " " + string(kind); got != want {
			t.Errorf("word %d of %s is %q, want %q", at.word, list[at.buffer].Name, got, want)
		}
	}
}

// TestEveryNameLeadsBack: what is printed of a word can be typed.
func TestEveryNameLeadsBack(t *testing.T) {
	list := layouts(t)
	names := words.For(list)
	for _, b := range list {
		if b.Layout != nil && !b.Layout.Valid() {
			t.Errorf("the layout of %s is not valid", b.Name)
		}
		for i := range b.Words {
			name, kind := words.OwnName(&b, i)
			if strings.HasSuffix(name, "padding") || b.Layout == nil {
				continue
			}
			p, err := names.Find(b.Name+"."+name, nil)
			if err != nil || p.Index != i || p.Words != 1 || p.Kind != kind {
				t.Errorf("%s.%s leads to %+v, error %v, want word %d", b.Name, name, p, err, i)
			}
		}
	}
}

// TestPathsThatLeadNowhere say what could stand there.
func TestPathsThatLeadNowhere(t *testing.T) {
	names := words.For(layouts(t))
	size := func(string) int { return 160 }
	for text, want := range map[string]string{
		"things.fly":               `"fly": there is no "fly" in a Things. Fix: use used, corner, things`,
		"things.things[3].id":      `"things[3].id": element 3 does not exist. Fix: use 0 to 2`,
		"things.things.id":         `"things.id": there is no "id" in a Outer[]. Fix: write an index first, as in [0]`,
		"things.used.x":            `"used.x": there is no "x" in a uint. Fix: end the path before it`,
		"things.corner.z":          `"corner.z": there is no "z" in a ivec2. Fix: use one of x, y`,
		"things.corner[2]":         `"corner[2]": a ivec2 has no component 2. Fix: use 0 to 1`,
		"things.things[x]":         `"things[x]": "x" is not an index. Fix: write a number in brackets, as in values[3]`,
		"things.things[1":          `"things[1": "1" is not an index. Fix: write a number in brackets, as in values[3]`,
		"things[1].id":             `"things[1].id": a number behind the name of a buffer is that of a word. Fix: write things.things[1].id`,
		"things[99]":               `"things[99]": the buffer has 77 words. Fix: use a number below 77`,
		"things[-1]":               `"things[-1]": "-1" is not the number of a word. Fix: write a number, as in control[128], or a name, as in control.epoch`,
		"other.x":                  `"other.x": the members of buffer other are not known. Fix: use the number of a word, as in other[0]`,
		"fly.x":                    `"fly.x": unknown buffer "fly". Fix: use control, ring, workers, things, plain, longs, other`,
		"":                         `"": unknown buffer. Fix: use control, ring, workers, things, plain, longs, other`,
		"control.fly":              `"control.fly": unknown word "fly" in the control buffer. Fix: use a name that vyretop words --buffer control prints`,
		"ring.slot[10].state":      `"ring.slot[10].state": no such word of the ring buffer. Fix: write ring.slot[N].state with N below 10`,
		"workers.worker[0].flight": `"workers.worker[0].flight": unknown word "flight" in the workers buffer. Fix: use a name that vyretop words --buffer workers prints`,
	} {
		if _, err := names.Find(text, size); err == nil || err.Error() != want {
			t.Errorf("%q: error %v\nwant %s", text, err, want)
		}
	}
}

// FuzzFind: no text makes the search panic, and what it finds is inside of the buffer.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{"things.things[1].size[2][1].y", "ring.slot[3].param", "control.tenant_mask[4]", "control.metric[op 3]", "things..", "things.[", "plain.plain[0x6]"} {
		f.Add(seed)
	}
	p, err := engine.CompileText("nested", nested)
	if err != nil {
		f.Fatal(err)
	}
	k := &Kernel{Program: p}
	names := words.For([]megakernel.BufferInfo{{Name: "things", Binding: 8, Words: 77, Layout: k.BufferLayout(8)}})
	f.Fuzz(func(t *testing.T, text string) {
		at, err := names.Find(text, func(string) int { return 160 })
		if err == nil && (at.Index < 0 || at.Words < 0 || at.Index+at.Words > 160) {
			t.Errorf("%q leads to %+v", text, at)
		}
	})
}

// TestValuesAreReadAsTheyAreWritten, and what is not a value is refused with advice.
func TestValuesAreReadAsTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		kind layout.Kind
		text string
		want uint32
		bad  bool
	}{
		{layout.Float, "1.5", 0x3fc00000, false}, {layout.Float, "1", 0x3f800000, false}, {layout.Float, "0x3fc00000", 0x3fc00000, false},
		{layout.Float, "-inf", 0xff800000, false}, {layout.Float, "one", 0, true}, {layout.Float, "1e99", 0, true},
		{layout.Int, "-2", 0xfffffffe, false}, {layout.Int, "-3000000000", 0, true}, {layout.Uint, "42", 42, false}, {layout.Uint, "-1", 0, true},
		{layout.Uint, "1.5", 0, true}, {layout.Bool, "true", 1, false}, {layout.Bool, "0", 0, false}, {layout.Bool, "7", 0, true}, {layout.None, "7", 7, false},
	} {
		got, err := layout.ParseValue(c.kind, c.text)
		if (err != nil) != c.bad || got != c.want || c.bad && strings.Count(err.Error(), "Fix: ") != 1 {
			t.Errorf("%s %q is %#x, error %v, want %#x", c.kind, c.text, got, err, c.want)
		}
		if back, err := layout.ParseValue(c.kind, string(layout.AppendValue(nil, c.kind, got))); !c.bad && (err != nil || back != got) {
			t.Errorf("%s %#x does not come back: %#x, error %v", c.kind, got, back, err)
		}
	}
}

// TestLayoutsOfDamagedFilesAreNotUsed: each would lead out of the buffer, divide by 0 or never end.
func TestLayoutsOfDamagedFilesAreNotUsed(t *testing.T) {
	number := &layout.Type{Name: "uint", Words: 1, Kind: layout.Uint, Width: 1}
	deep := number
	for range 100 {
		deep = &layout.Type{Words: 1, Members: []layout.Member{{Name: "m", Type: deep}}}
	}
	for name, bad := range map[string]*layout.Type{
		"nothing": {}, "deep": deep, "no stride": {Elem: number}, "no width": {Kind: layout.Uint}, "a missing member": {Words: 1, Members: []layout.Member{{Name: "m"}}},
		"an offset below 0":          {Words: 1, Members: []layout.Member{{Name: "m", Offset: -1, Type: number}}},
		"members on each other":      {Words: 2, Members: []layout.Member{{Name: "a", Type: number}, {Name: "b", Type: number}}},
		"an array of too many words": {Elem: number, Len: 1 << 31, Stride: 1, Words: 1 << 31},
		"elements of nothing":        {Elem: &layout.Type{Elem: number, Stride: 1}, Stride: 1},
	} {
		if bad.Valid() {
			t.Errorf("%s is valid", name)
		}
		if own := words.For([]megakernel.BufferInfo{{Name: "b", Words: 3, Layout: bad}}).Own("b"); own == nil || own.Layout != nil {
			t.Errorf("%s is used", name)
		}
	}
}

// TestWordsOfWideValuesTellTheValue: both words of a double tell what it is, and others do not.
func TestWordsOfWideValuesTellTheValue(t *testing.T) {
	longs := layouts(t)[2]
	memory := map[int]uint32{42: 0x40000000, 43: 0xC0080000} // longs[1].at.y
	read := func(i int) (uint32, bool) { return memory[i], i != 40 }
	for i, want := range map[int]string{41: "", 42: "-3.000000476837158", 43: "-3.000000476837158", 46: "0", 38: "", 0: "0"} {
		if got := words.OwnMeaning(&longs, i, read); got != want {
			t.Errorf("word %d means %q, want %q", i, got, want)
		}
	}
}

// TestPackedBuffersHaveWords: members of 8 and 16 bits share words, which are shown as the kernel reads them.
func TestPackedBuffersHaveWords(t *testing.T) {
	p, err := engine.CompileText("packed", `#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(std430, binding = 8) buffer Bytes { uint8_t head; uint8_t bytes[]; };
void main() { bytes[0] = head; }
`)
	if err != nil {
		t.Fatal(err)
	}
	k := &Kernel{Program: p}
	names := words.For([]megakernel.BufferInfo{{Name: "bytes", Binding: 8, Words: 5, Layout: k.BufferLayout(8)}})
	if names == nil {
		t.Fatal("no names")
	}
	if l := k.BufferLayout(8); len(l.Members) != 1 || l.Members[0].Name != "words" || l.Members[0].Type.Stride != 1 {
		t.Errorf("layout %+v", l)
	}
	if n := p.Buffers[0].Elements(5); n != 19 {
		t.Errorf("%d elements in 5 words behind a byte, want 19", n)
	}
}
