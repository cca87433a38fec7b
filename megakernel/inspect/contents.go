package inspect

import (
	"context"
	"encoding/json"
	"io"

	"vyretop/megakernel"
)

// Limits bounds how many words of the workload's buffers are read.
type Limits struct{ Buffer, All int }

// Exported is what the lines of an export have of the buffers: 65,536 words of each, and 262,144 in all.
var Exported = Limits{Buffer: 1 << 16, All: 1 << 18}

// Contents reads the workload's buffers of a subject, part by part, within limits. left is told how many words of a
// buffer were not read, and why where that is an error; the other buffers are read all the same. The error is one of
// each.
func Contents(ctx context.Context, s Subject, l Limits, each func(b *megakernel.BufferInfo, first int, words []uint32) error, left func(b *megakernel.BufferInfo, n int, err error)) error {
	for _, b := range s.Header().Target.Buffers {
		if b.Binding < megakernel.FirstUserBinding {
			continue
		}
		n, at := min(b.Words, l.Buffer, l.All), 0
		l.All -= n
		var failed error
		for at < n {
			list, err := readOwn(ctx, s, &b, at)
			if err != nil {
				failed = err
				break
			}
			list = list[:min(len(list), n-at)]
			if err := each(&b, at, list); err != nil {
				return err
			}
			at += len(list)
		}
		if at < b.Words {
			left(&b, b.Words-at, failed)
		}
	}
	return nil
}

// WriteContents writes a line for each word of the workload's buffers, as the JSON document of words has them, and one
// for each buffer of which words are left out: how many, and why if they cannot be read.
func WriteContents(ctx context.Context, s Subject, w io.Writer) error {
	names := NamesOf(s)
	var failed error
	write := func(line json.RawMessage) bool {
		_, failed = w.Write(append(line, '\n'))
		return failed == nil
	}
	err := Contents(ctx, s, Exported, func(b *megakernel.BufferInfo, first int, words []uint32) error {
		wordRows(names, &megakernel.Snapshot{}, b.Name, first, words, func(row *Word) bool { return write(WordTable.Object(row, "schema", WordsSchema)) })
		return failed
	}, func(b *megakernel.BufferInfo, n int, err error) {
		var o object
		o.add("schema", WordsSchema)
		o.add("buffer", b.Name)
		o.add("left_out", n)
		if err != nil {
			o.add("error", err.Error())
		}
		write(o.end())
	})
	if err == nil {
		err = failed
	}
	return err
}
