package scan

import (
	"encoding/binary"
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
	// settling: the task said how many records it wrote (expect); the entry goes on, or is free again
	// when ended, once so many are drained.
	settling, ended bool
	expect          uint32
	failed          error // reading failed; what was found is dropped
}

// granules is how long a block a file of a size should have: long enough that reading it comes out
// short, which tells the end, and short enough to leave room for others.
func granules(size int64, total uint32) uint32 {
	if size == 0 {
		size = unknownBlock
	}
	limit := int64(max(total/64, 1))
	return uint32(min((size+granuleBytes)/granuleBytes, limit))
}

// load reads the next part of the entry's file into its block. A part that is shorter than the block
// is the last. A read error ends the file here.
func (e *entry) load(buf []byte, text engine.Words) {
	e.base += int64(e.length)
	buf = buf[:e.block.bytes()]
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
	end := roundUp(n)
	for i := n; i < end; i++ {
		buf[i] = '\n'
	}
	store(text[int(e.block.at)*granuleBytes/4:], buf[:end])
}

// store writes bytes as little-endian words. The block belongs to the host alone until it says in
// "parts" that it is loaded, so plain stores do.
func store(dst engine.Words, src []byte) {
	dst = dst[:len(src)/4]
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint32(src[4*i:])
	}
}

func roundUp(n int) int { return (n + granuleBytes - 1) / granuleBytes * granuleBytes }

// announce writes the entry's words; the number of the part goes last.
func (e *entry) announce(parts engine.Words, at int) {
	parts.Store(at+partBase, e.block.at)
	parts.Store(at+partBytes, uint32(roundUp(e.length)))
	last := uint32(0)
	if e.source == nil {
		last = 1
	}
	parts.Store(at+partLast, last)
	parts.Store(at+partIndex, e.part)
}
