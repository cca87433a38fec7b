package scan

import (
	"errors"
	"hash/crc32"
	"io"
	"os"

	"vyretop/engine"
)

// unknownBlock is the block for a file that claims to be empty; some file systems do not tell.
const unknownBlock = 64 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry is a place for a file in flight.
type entry struct {
	file    *file
	source  *os.File // nil when the file is read to its end
	block   span
	part    uint32 // number of the loaded part
	base    int64  // offset of the part in the file
	length  int    // bytes of the part, without padding
	drained uint32 // records of the file drained so far
	counted int64  // bytes of earlier parts that are counted as progress
	// settling: the task said how many records it wrote (expect); the entry continues, or is free again
	// when ended, once that many are drained.
	settling, ended bool
	expect          uint32
	failed          error // reading failed; what was found is dropped
}

// blockOf is how long a block a file of a size should have, out of total granules: long enough that
// reading it comes out short, which tells the end, and short enough to leave room for others.
func (a *Automaton) blockOf(size int64, total uint32) uint32 {
	if size == 0 {
		size = unknownBlock
	}
	return uint32(min(size/int64(a.granuleBytes())+1, int64(largestBlock(total))))
}

// largestBlock leaves room for 64 files in flight, however large they are.
func largestBlock(total uint32) uint32 { return max(total/64, 1) }

// load reads the next part of the entry's file into its block. A part that is shorter than the block
// is the last. A read error ends the file here.
func (e *entry) load(a *Automaton, buf []byte, text engine.Words) {
	e.base += int64(e.length)
	buf = buf[:int(e.block.n)*a.granuleBytes()]
	n, err := io.ReadFull(e.source, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		e.failed, n = err, 0
	}
	e.length = n
	e.file.read += int64(n)
	e.file.checksum = crc32.Update(e.file.checksum, castagnoli, buf[:n])
	if n < len(buf) {
		e.source.Close()
		e.source = nil
	}
	whole := buf[:a.granules(n)*a.granuleBytes()]
	for i := n; i < len(whole); i++ {
		whole[i] = '\n'
	}
	a.encode(text[e.block.words():], whole)
}

// announce writes the entry's words; the number of the part goes last.
func (e *entry) announce(a *Automaton, parts engine.Words, at int) {
	parts.Store(at+partBase, e.block.at)
	parts.Store(at+partSize, uint32(a.granules(e.length)*granuleSymbols))
	last := uint32(0)
	if e.source == nil {
		last = 1
	}
	parts.Store(at+partLast, last)
	parts.Store(at+partIndex, e.part)
}
