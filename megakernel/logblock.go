package megakernel

import "sort"

// LogBlock is debug-log records with consecutive numbers as the device wrote them, so that taking them costs what copying
// costs. They are decoded when they are shown or written. A block is never changed once it has been handed out.
type LogBlock struct {
	First uint64   // number of its first record
	Words []uint32 // LogRecordWords each; LogSeq and LogMark mean nothing
}

// Len is the number of records.
func (b *LogBlock) Len() int { return len(b.Words) / LogRecordWords }

// End is one more than the number of the last record.
func (b *LogBlock) End() uint64 { return b.First + uint64(b.Len()) }

// At decodes record i.
func (b *LogBlock) At(i int) (r LogRecord) {
	r.decode(b.First+uint64(i), b.words(i))
	return r
}

// Format is the format of record i.
func (b *LogBlock) Format(i int) uint32 { return b.Words[i*LogRecordWords+LogFormat] }

func (b *LogBlock) words(i int) *[LogRecordWords]uint32 {
	return (*[LogRecordWords]uint32)(b.Words[i*LogRecordWords:])
}

// Part is the records from i to j as a block.
func (b *LogBlock) Part(i, j int) LogBlock {
	return LogBlock{First: b.First + uint64(i), Words: b.Words[i*LogRecordWords : j*LogRecordWords : j*LogRecordWords]}
}

// LogBlocks is blocks in the order of their numbers.
type LogBlocks []LogBlock

// Len is the number of records.
func (l LogBlocks) Len() (n int) {
	for i := range l {
		n += l[i].Len()
	}
	return n
}

// From returns the records with numbers of at least after, at most limit of them.
func (l LogBlocks) From(after uint64, limit int) (out LogBlocks) {
	first := sort.Search(len(l), func(i int) bool { return l[i].End() > after })
	for _, b := range l[first:] {
		skip := int(max(after, b.First) - b.First)
		n := min(b.Len()-skip, limit)
		if n <= 0 {
			break
		}
		out = append(out, b.Part(skip, skip+n))
		limit -= n
	}
	return out
}

// Decode returns all records.
func (l LogBlocks) Decode() []LogRecord {
	n := l.Len()
	if n == 0 {
		return nil
	}
	out := make([]LogRecord, 0, n)
	for i := range l {
		for j := range l[i].Len() {
			out = append(out, l[i].At(j))
		}
	}
	return out
}

// BlocksOf makes blocks of records, which are in the order of their numbers.
func BlocksOf(records []LogRecord) (out LogBlocks) {
	for i := 0; i < len(records); {
		n := 1
		for i+n < len(records) && records[i+n].Number == records[i].Number+uint64(n) {
			n++
		}
		words := make([]uint32, 0, n*LogRecordWords)
		for _, r := range records[i : i+n] {
			words = append(words, uint32(r.Number)+1, r.Format, uint32(r.Worker)|uint32(r.Lane)<<16, r.Task, r.Opcode, uint32(r.Time), 0, uint32(r.ArgCount))
			words = append(words, r.Args[:]...)
		}
		out = append(out, LogBlock{records[i].Number, words})
		i += n
	}
	return out
}
