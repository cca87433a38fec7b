package inspect

import (
	"context"
	"io"
	"strings"

	"vyretop/engine/fault"
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

// readAtOnce is how many words of a buffer are in memory at once.
const readAtOnce = 1 << 15

// readOwn reads what of a buffer that no snapshot holds is read at once, from number at on.
func readOwn(ctx context.Context, s Subject, b *megakernel.BufferInfo, at int) ([]uint32, error) {
	from, ok := s.(bufferSource)
	if !ok {
		return nil, &fault.Error{Kind: ErrSubject, Subject: "buffer " + b.Name, Detail: "its contents are unknown", Fix: "read it while the run is live"}
	}
	if at >= b.Words {
		return nil, nil
	}
	out := make([]uint32, min(readAtOnce, b.Words-at))
	return out, from.ReadBuffer(ctx, b.Name, at, out)
}

// place finds the words of a buffer, or only those that a place such as "render_rays[3]" in it has; own is nil for a
// buffer of the snapshot. Without a buffer the place says which one, by its name or by that of one of its members; else it is the
// control buffer.
func place(names *words.Names, now *megakernel.Snapshot, buffer, text string) (at words.Place, own *megakernel.BufferInfo, err error) {
	size := func(name string) int { return len(words.Of(now, name)) }
	if buffer == "" {
		if at, err = names.Find(text, size); err == nil {
			return at, names.Own(at.Buffer), nil
		}
		buffer = words.Control
	}
	at = words.Place{Buffer: buffer, Words: size(buffer)}
	if own = names.Own(buffer); own != nil {
		at.Words = own.Words
	}
	if whole := buffer + "." + text; text != "" || own == nil && at.Words == 0 {
		if text == "" || strings.HasPrefix(text, "[") {
			whole = buffer + text
		}
		at, err = names.Find(whole, size)
		if full, failed := names.Find(text, size); err != nil && failed == nil && full.Buffer == buffer { // as it is printed, with its buffer
			at, err = full, nil
		}
	}
	return at, own, err
}

// WordsOf gives the words of a buffer, or only those that a place such as "render_rays[3]" in it has. Without a buffer the place
// says which one; else it is the control buffer.
func WordsOf(ctx context.Context, s Subject, now *megakernel.Snapshot, buffer, text string) (Rows[Word], error) {
	names := NamesOf(s)
	at, own, err := place(names, now, buffer, text)
	if err != nil {
		return nil, err
	}
	buffer = at.Buffer
	end := at.Index + at.Words
	return func(yield func(*Word) bool) error {
		for first := at.Index; first < end; {
			list := part(words.Of(now, buffer), first)
			if own != nil {
				if list, err = readOwn(ctx, s, own, first); err != nil {
					return err
				}
			}
			list = list[:min(len(list), end-first)]
			if len(list) == 0 || !wordRows(names, now, buffer, first, list, yield) {
				break
			}
			first += len(list)
		}
		return nil
	}, nil
}

// wordRows gives words of a buffer, of now or of the workload, that begin with number first; false when no more are wanted.
func wordRows(names *words.Names, now *megakernel.Snapshot, buffer string, first int, list []uint32, yield func(*Word) bool) bool {
	var row Word
	for i, w := range list {
		row = Word{Buffer: buffer, Index: first + i, Name: names.Name(buffer, first+i), Value: w, Text: names.MeaningAmong(buffer, first+i, first, list)}
		if all := words.Of(now, buffer); first+i < len(all) {
			row.Text = words.MeaningIn(buffer, all, first+i)
		}
		if !yield(&row) {
			return false
		}
	}
	return true
}

// OpenBuffer finds a buffer, and returns what writes its words, little-endian. Where its first words cannot be read
// that is the error.
func OpenBuffer(ctx context.Context, s Subject, buffer string) (write func(io.Writer) error, err error) {
	names := NamesOf(s)
	now := &megakernel.Snapshot{}
	own := names.Own(buffer)
	if own == nil {
		if now, err = s.Now(ctx); err != nil {
			return nil, err
		}
		_, err = names.Find(buffer, func(name string) int { return len(words.Of(now, name)) })
		return func(w io.Writer) error { return WriteWords(w, words.Of(now, buffer)) }, err
	}
	if _, err = readOwn(ctx, s, own, 0); err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		for at := 0; at < own.Words; at += readAtOnce {
			list, err := readOwn(ctx, s, own, at)
			if err == nil {
				err = WriteWords(w, list)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// WriteWords writes words little-endian.
func WriteWords(w io.Writer, words []uint32) error {
	for at := 0; at < len(words); at += readAtOnce {
		if _, err := w.Write(peer.Bytes(part(words, at))); err != nil {
			return err
		}
	}
	return nil
}
