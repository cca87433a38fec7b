package inspect

import (
	"context"
	"fmt"
	"io"
	"strings"

	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/words"
)

// bufferSource is a subject that has contents of buffers of which snapshots hold nothing.
type bufferSource interface {
	// ReadBuffer copies words of a buffer, from number first on.
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// NamesOf knows the buffers of a subject.
func NamesOf(s Subject) *words.Names { return words.For(s.Header().Target.Buffers) }

// readAtOnce is how many words of a buffer are asked for at once.
const readAtOnce = 1 << 15

// readOwn reads part of a buffer that no snapshot holds.
func readOwn(ctx context.Context, s Subject, b *megakernel.BufferInfo, first, n int) ([]uint32, error) {
	from, ok := s.(bufferSource)
	if !ok {
		return nil, &SubjectError{Name: "buffer " + b.Name, Detail: "what it held is not known", Fix: "look at the run while it is live"}
	}
	out := make([]uint32, n)
	for at := 0; at < n; at += readAtOnce {
		if err := from.ReadBuffer(ctx, b.Name, first+at, out[at:min(at+readAtOnce, n)]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// WordsOf lists the words of a buffer, or only those that a place such as "render_rays[3]" in it has.
func WordsOf(ctx context.Context, s Subject, now *megakernel.Snapshot, buffer, place string) ([]Word, error) {
	names := NamesOf(s)
	size := func(name string) int { return len(words.Of(now, name)) }
	at := words.Place{Buffer: buffer, Words: size(buffer)}
	own := names.Own(buffer)
	if own != nil {
		at.Words = own.Words
	}
	if text := buffer + "." + place; place != "" || own == nil && at.Words == 0 {
		if place == "" || strings.HasPrefix(place, "[") {
			text = buffer + place
		}
		var err error
		if at, err = names.Find(text, size); err != nil {
			return nil, err
		}
	}
	if own == nil {
		all := words.Of(now, buffer)
		return wordRows(names, buffer, at.Index, all[min(at.Index, len(all)):min(at.Index+at.Words, len(all))]), nil
	}
	list, err := readOwn(ctx, s, own, at.Index, at.Words)
	return wordRows(names, buffer, at.Index, list), err
}

// BufferWords are all words of a buffer.
func BufferWords(ctx context.Context, s Subject, buffer string) ([]uint32, error) {
	names := NamesOf(s)
	if own := names.Own(buffer); own != nil {
		return readOwn(ctx, s, own, 0, own.Words)
	}
	now, err := s.Now(ctx)
	if err != nil {
		return nil, err
	}
	_, err = names.Find(buffer, func(name string) int { return len(words.Of(now, name)) })
	return words.Of(now, buffer), err
}

// WriteWords writes words little-endian.
func WriteWords(w io.Writer, words []uint32) error {
	_, err := w.Write(peer.Bytes(words))
	return err
}

func wordRows(names *words.Names, buffer string, first int, list []uint32) []Word {
	out := make([]Word, len(list))
	for i, w := range list {
		out[i] = Word{Buffer: buffer, Index: first + i, Name: names.Name(buffer, first+i), Value: w, Text: names.Meaning(buffer, first+i, w)}
	}
	return out
}

// NotCompared says which buffers a comparison leaves out, and why the first of them.
type NotCompared struct {
	Buffers []string
	Err     error
}

// Error implements error.
func (m *NotCompared) Error() string {
	return fmt.Sprintf("not compared: %s: %v", strings.Join(m.Buffers, ", "), m.Err)
}

// Unwrap gives the cause.
func (m *NotCompared) Unwrap() error { return m.Err }

// DiffBuffers compares the workload's own buffers that both subjects have, word by word. What cannot be read of
// them does not fail the comparison; left is nil where there is nothing of the kind. Protocol buffers such as the log are left out.
func DiffBuffers(ctx context.Context, a, b Subject) (rows []Difference, left *NotCompared) {
	names, others := NamesOf(a), NamesOf(b)
	for _, one := range names.Others() {
		two := others.Own(one.Name)
		if one.Binding < megakernel.FirstUserBinding || two == nil {
			continue
		}
		x, err := readOwn(ctx, a, &one, 0, one.Words)
		var y []uint32
		if err == nil {
			y, err = readOwn(ctx, b, two, 0, two.Words)
		}
		if err != nil {
			if left == nil {
				left = &NotCompared{Err: err}
			}
			left.Buffers = append(left.Buffers, one.Name)
			continue
		}
		for _, d := range words.Compare(one.Name, x, y) {
			rows = append(rows, Difference{d, names})
		}
	}
	return rows, left
}
