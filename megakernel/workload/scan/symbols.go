package scan

import "vyretop/engine"

// A granule is what the handler loads at once: 4 words with two symbols each.
const (
	granuleWords   = 4
	granuleSymbols = 8
)

// granuleBytes is how many bytes of a file a granule holds.
func (a *Automaton) granuleBytes() int { return granuleSymbols * a.stride }

// granules is how many granules n bytes of a file take.
func (a *Automaton) granules(n int) int { return (n + a.granuleBytes() - 1) / a.granuleBytes() }

// encode writes text as symbols. The text is a whole number of granules. The words belong to the host
// alone until it says in "parts" that they are loaded, so plain stores do.
func (a *Automaton) encode(dst engine.Words, text []byte) {
	if a.stride == 1 {
		for i := range len(text) / 2 {
			dst[i] = uint32(a.classOf[text[2*i]]) | uint32(a.classOf[text[2*i+1]])<<16
		}
		return
	}
	pairs := (*[1 << 16]uint16)(a.pairs)
	for i := range len(text) / 4 {
		t := text[4*i : 4*i+4]
		low := pairs[uint16(t[0])|uint16(t[1])<<8]
		high := pairs[uint16(t[2])|uint16(t[3])<<8]
		dst[i] = uint32(low) | uint32(high)<<16
	}
}

// symbol reads symbol i of what encode has written.
func symbol(words engine.Words, i uint32) uint32 {
	return words.Load(int(i/2)) >> (16 * (i % 2)) & 0xFFFF
}
