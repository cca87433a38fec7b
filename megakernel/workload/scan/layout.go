package scan

import (
	"fmt"

	"vyretop/megakernel/workload"
)

// Bounds of what one lane does in an activation; most is SCAN_MOST of the handler.
const (
	rows  = 256 // granules that a lane searches, at most
	most  = 1024
	spare = 64 // rounds of other loops
)

// Sizes of blocks, in granules.
const (
	minBlock    = 16
	usualBlock  = 512 // as far as eight fit
	minEntries  = 8
	manyEntries = 512
)

// MaxPattern bounds the length of a pattern: each lane starts as much before the text that it searches.
const MaxPattern = 32 << 10

// layout says how the text arena is divided. Each entry has a block of it, which holds a piece of text.
type layout struct {
	lead    int // granules before its column at which a lane starts: the longest pattern but for a byte
	block   int // granules
	entries int
}

// layoutOf divides an arena of that many bytes. Blocks are small, so each worker of a GPU has some.
func (a *Automaton) layoutOf(arena int) layout {
	granules := arena / (4 * granuleWords)
	l := layout{lead: (a.longest - 1 + a.granuleBytes() - 1) / a.granuleBytes()}
	l.block = max(granules/manyEntries, min(usualBlock, granules/minEntries), 4*l.lead, minBlock)
	l.entries = max(granules/l.block, minEntries)
	return l
}

// words is the size of the buffer "text".
func (l layout) words() int { return l.entries * l.block * granuleWords }

// rounds is how many rounds of its loops a lane runs in an activation, at most.
func (l layout) rounds() uint32 { return uint32(l.lead + 2*rows + most + spare) }

// columns is the number of columns of a number of granules, for a worker with that many lanes: a multiple of these, at least a few.
func columns(granules, lanes int) int {
	n := max(usualLanes, (granules+rows-1)/rows)
	return (n + lanes - 1) / lanes * lanes
}

// piece is how many granules a piece has for a worker of that many lanes: what its lanes search in an activation, and what fits a
// block with the places that stay empty in its last columns.
func (l layout) piece(lanes int) int {
	n := min(l.block, max(columns(0, lanes)*rows, 2*l.lead, minBlock))
	c := columns(n, lanes)
	return n - min(c, (n+c-1)/c)
}

// hostWrites is about how many words the host writes to search files of that many bytes.
func (l layout) hostWrites(a *Automaton, files int, bytes int64) int {
	granules := int(bytes)/a.granuleBytes() + 2*files
	pieces := granules/min(l.block, usualLanes*rows) + 1
	return (granules+pieces*(l.lead+usualLanes))*granuleWords + pieces*entryWords
}

// usualLanes are those of a worker of which nothing is known.
const usualLanes = 8

// lanesOf is the number of lanes of a host's workers.
func lanesOf(h workload.Host) int {
	if g, ok := h.(workload.Grouped); ok {
		return max(g.Workgroup(), 1)
	}
	return usualLanes
}

// checkLongest refuses patterns that are too long.
func checkLongest(name string, patterns []Pattern) error {
	for _, p := range patterns {
		if len(p.Text) > MaxPattern {
			return workload.Failure(workload.ErrInput, name, fmt.Sprintf("the pattern in line %d has %d bytes, at most %d fit", p.Line, len(p.Text), MaxPattern), nil, "search for a part of it")
		}
	}
	return nil
}
