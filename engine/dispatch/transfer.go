package dispatch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// chunkWords is how much of a buffer is in our own memory at a time.
const chunkWords = 1 << 15

// upload fills a buffer from its input, which may be shorter and must not be longer.
func upload(ctx context.Context, buf engine.Buffer, bl block) error {
	f, err := openInput(ctx, bl.input)
	if err != nil {
		return unreadable(bl.spec.Binding, bl.input, err)
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Now()) })() // files that have none do not wait either
	in := bufio.NewReader(f)
	chunk := make([]byte, min(chunkWords, buf.Size())*wordBytes)
	words := make([]uint32, len(chunk)/wordBytes)
	for at := 0; at < buf.Size(); at += len(words) {
		part := chunk[:min(len(words), buf.Size()-at)*wordBytes]
		n, err := io.ReadFull(in, part)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return unreadable(bl.spec.Binding, bl.input, err)
		}
		clear(part[n:])
		filled := fromBytes(words, part[:(n+wordBytes-1)/wordBytes*wordBytes])
		if err := buf.Upload(ctx, at, filled); err != nil {
			return err
		}
		if ended {
			return zeroFrom(ctx, buf, at+len(filled))
		}
	}
	if _, err := in.ReadByte(); err == nil {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("input %d: %s has more than the %d bytes of its buffer", bl.spec.Binding, bl.input, bl.bytes), Fix: fmt.Sprintf("give a larger --size %d=BYTES, or leave it out", bl.spec.Binding)}
	}
	return nil
}

// openInput opens a file. What is read of a pipe or a device ends with the buffer, whose size the request gives then. A pipe without a
// writer is waited for until ctx is done.
func openInput(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return plainfile.Open(path)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				_ = o.f.Close() // nothing was written
			}
		}()
		return nil, ctx.Err()
	}
}

// zero clears a buffer.
func zero(ctx context.Context, buf engine.Buffer) error { return zeroFrom(ctx, buf, 0) }

// zeroFrom clears what a buffer has from a word on.
func zeroFrom(ctx context.Context, buf engine.Buffer, at int) error {
	zeros := make([]uint32, min(chunkWords, max(buf.Size()-at, 0)))
	for ; at < buf.Size(); at += len(zeros) {
		if err := buf.Upload(ctx, at, zeros[:min(len(zeros), buf.Size()-at)]); err != nil {
			return err
		}
	}
	return nil
}

func fromBytes(words []uint32, b []byte) []uint32 {
	words = words[:len(b)/wordBytes]
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[i*wordBytes:])
	}
	return words
}

// download writes a buffer to a file and returns the SHA-256 of its bytes. Where that fails, what was there stays.
func download(ctx context.Context, buf engine.Buffer, path string) (sum string, err error) {
	h := sha256.New()
	var read error
	err = plainfile.Put(path, plainfile.OutputMode, func(f io.Writer) error {
		out := io.MultiWriter(f, h)
		words := make([]uint32, min(chunkWords, buf.Size()))
		chunk := make([]byte, 0, len(words)*wordBytes)
		for at := 0; at < buf.Size(); at += len(words) {
			part := words[:min(len(words), buf.Size()-at)]
			if read = buf.Download(ctx, at, part); read != nil {
				return read
			}
			chunk = engine.AppendWords(chunk[:0], part)
			if _, err := out.Write(chunk); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case read != nil:
		return "", read
	case err != nil:
		return "", unwritable(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func unwritable(path string, err error) error {
	return &fault.Error{Kind: ErrRequest, Detail: "the output " + path + " cannot be written", Cause: err, Fix: "name a file that you may write, with room for it"}
}
