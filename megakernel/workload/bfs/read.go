package bfs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// maxLine is the longest line of a graph file, in bytes.
const maxLine = 1 << 20

// Read reads a graph file: Matrix Market if it begins with %%MatrixMarket, otherwise an edge list; either
// may be compressed with gzip. OneWay is set for an edge list, and cleared for a symmetric matrix. Errors
// are an ErrInput and name the line.
func Read(ctx context.Context, name string) (*Graph, error) {
	f, err := plainfile.Open(name)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, name, "the graph cannot be opened", err, "give the path of a graph file to --graph")
	}
	defer f.Close()
	return parse(ctx, name, f)
}

func parse(ctx context.Context, name string, r io.Reader) (*Graph, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1F, 0x8B}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, workload.Failure(workload.ErrInput, name, "it begins like a gzip file, and is none", err, "unpack it yourself, or fetch it again")
		}
		buffered = bufio.NewReaderSize(unpacked, 1<<16)
	}
	head, _ := buffered.Peek(len(matrixMarket))
	l := &lines{ctx: ctx, name: name, scanner: bufio.NewScanner(buffered)}
	l.scanner.Buffer(make([]byte, 1<<16), maxLine)
	if bytes.EqualFold(head, []byte(matrixMarket)) {
		return readMatrix(l)
	}
	return readEdges(l)
}

// lines reads the lines of a text that are not empty and no comment.
type lines struct {
	ctx     context.Context
	name    string
	scanner *bufio.Scanner
	number  int      // of the current line, from 1
	fields  [][]byte // of the current line, valid until the next one
}

// next goes to the next line with content; false at the end and on an error, which err tells.
func (l *lines) next() bool {
	for l.ctx.Err() == nil && l.scanner.Scan() {
		l.number++
		l.split(l.scanner.Bytes())
		if len(l.fields) > 0 && l.fields[0][0] != '#' && l.fields[0][0] != '%' {
			return true
		}
	}
	return false
}

// split finds the fields between blanks, tabs and commas.
func (l *lines) split(line []byte) {
	l.fields = l.fields[:0]
	start := -1
	for i, c := range line {
		separates := c == ' ' || c == '\t' || c == ',' || c == '\r'
		if separates && start >= 0 {
			l.fields = append(l.fields, line[start:i])
			start = -1
		} else if !separates && start < 0 {
			start = i
		}
	}
	if start >= 0 {
		l.fields = append(l.fields, line[start:])
	}
}

// err is why next ended early, or nil.
func (l *lines) err() error {
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	err := l.scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		l.number++
		return l.bad(fmt.Sprintf("the line is longer than %d bytes", maxLine), "give a file with one edge a line")
	}
	if err != nil {
		l.number++
		return workload.Failure(workload.ErrInput, l.at(), "the graph cannot be read further", err, "check the file and its compression")
	}
	return nil
}

// at names the current line; an empty file has none.
func (l *lines) at() string {
	if l.number == 0 {
		return l.name
	}
	return fmt.Sprintf("%s:%d", l.name, l.number)
}

// bad is an error about the current line.
func (l *lines) bad(detail, fix string) error {
	return workload.Failure(workload.ErrInput, l.at(), detail, nil, fix)
}

// count reads field i as a number of at most limit.
func (l *lines) count(i, limit int, what string) (uint32, error) {
	v, ok := decimal(l.fields[i])
	if !ok {
		return 0, l.bad(fmt.Sprintf("%s %q is not a number", what, clip(l.fields[i])), "write whole numbers from 0 on")
	}
	if v > uint64(limit) {
		return 0, l.bad(fmt.Sprintf("%s %s is above %d", what, clip(l.fields[i]), limit), "number the vertices without gaps, or use a smaller graph")
	}
	return uint32(v), nil
}

// values checks that the fields from i on are numbers.
func (l *lines) values(i int) error {
	for _, f := range l.fields[i:] {
		if _, err := strconv.ParseFloat(string(f), 64); err != nil {
			return l.bad(fmt.Sprintf("the value %q is not a number", clip(f)), "write a number, or leave it out")
		}
	}
	return nil
}

// clip keeps a field that is quoted in an error short.
func clip(field []byte) string { return string(field[:min(len(field), 32)]) }

// decimal reads digits; a number that does not fit 63 bits is as large as one that just fits.
func decimal(field []byte) (v uint64, ok bool) {
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = min(v*10+uint64(c-'0'), 1<<59)
	}
	return v, len(field) > 0
}
