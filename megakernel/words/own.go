package words

import (
	"strconv"

	"vyretop/megakernel"
	"vyretop/megakernel/layout"
)

// OwnName is what the kernel declares word i of a buffer of a workload as, such as "render_rays[3].from.x", and
// the kind of the word. Where the declaration is not known it is "word[i]".
func OwnName(b *megakernel.BufferInfo, i int) (string, layout.Kind) {
	var memory [64]byte
	name, kind := AppendOwnName(memory[:0], b, i)
	return string(name), kind
}

// AppendOwnName is OwnName behind dst, which must be empty.
func AppendOwnName(dst []byte, b *megakernel.BufferInfo, i int) ([]byte, layout.Kind) {
	if b.Layout == nil || i < 0 {
		return append(strconv.AppendInt(append(dst, "word["...), int64(i), 10), ']'), layout.None
	}
	return b.Layout.AppendName(dst, i)
}

// OwnMeaning is a word as its kind is written, or the value of 64 bits that it is part of; "" where the number says it all.
func OwnMeaning(b *megakernel.BufferInfo, i int, read func(i int) (uint32, bool)) string {
	v, known := read(i)
	if b.Layout == nil || !known {
		return ""
	}
	var name, text [64]byte
	switch _, kind := b.Layout.AppendName(name[:0], i); kind {
	case layout.Float, layout.Int, layout.Bool:
		return string(layout.AppendValue(text[:0], kind, v))
	}
	return string(b.Layout.AppendWide(text[:0], i, read))
}

// Names knows the buffers of a target, those of snapshots and the others.
type Names struct{ others []megakernel.BufferInfo }

// For makes the Names of a target with further buffers, as Target.Buffers has them. A layout or a picture that makes no sense,
// such as one of a damaged recording, is not used.
func For(others []megakernel.BufferInfo) *Names {
	n := &Names{}
	for _, b := range others {
		if b.Layout != nil && !b.Layout.Valid() {
			b.Layout = nil
		}
		if b.Picture != nil && !b.Picture.Fits(b.Words) {
			b.Picture = nil
		}
		if b.Name != "" && b.Words > 0 {
			n.others = append(n.others, b)
		}
	}
	return n
}

// Buffers are the names of all buffers, those of snapshots first.
func (n *Names) Buffers() []string {
	out := append([]string(nil), Buffers...)
	for i := range n.others {
		out = append(out, n.others[i].Name)
	}
	return out
}

// Own describes a buffer that no snapshot holds; nil for another.
func (n *Names) Own(buffer string) *megakernel.BufferInfo {
	for i := range n.others {
		if n.others[i].Name == buffer {
			return &n.others[i]
		}
	}
	return nil
}

// Others are the buffers that no snapshot holds.
func (n *Names) Others() []megakernel.BufferInfo { return n.others }

// Name is what word i of a buffer is called.
func (n *Names) Name(buffer string, i int) string {
	if b := n.Own(buffer); b != nil {
		name, _ := OwnName(b, i)
		return name
	}
	return Name(buffer, i)
}

// Meaning says what a word holds that is more than a number, "" for others.
func (n *Names) Meaning(buffer string, i int, v uint32) string {
	return n.MeaningAmong(buffer, i, i, []uint32{v})
}

// MeaningAmong is Meaning of word i where those from first on are known.
func (n *Names) MeaningAmong(buffer string, i, first int, known []uint32) string {
	if b := n.Own(buffer); b != nil {
		return OwnMeaning(b, i, func(i int) (uint32, bool) {
			if i < first || i-first >= len(known) {
				return 0, false
			}
			return known[i-first], true
		})
	}
	return Meaning(buffer, i, known[i-first])
}
