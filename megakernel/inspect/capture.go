package inspect

import (
	"context"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/capture"
)

// captured is a subject that a task is captured from.
type captured struct {
	Subject
	buffers bufferSource
}

// Target implements capture.Source.
func (c captured) Target() megakernel.Target { return c.Header().Target }

// ReadBuffer implements capture.Source.
func (c captured) ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error {
	return c.buffers.ReadBuffer(ctx, name, first, dst)
}

// Breakpoints are those of the subject, nil where it has none.
func (c captured) Breakpoints() []breakpoint.Status {
	list, _ := Breakpoints(c.Subject)
	return list
}

// Capture captures a task of a subject, of at most that many bytes of buffers; 0 is capture.DefaultBytes. Errors are those
// of capture.Take, and ErrSubject for raw buffers.
func Capture(ctx context.Context, s Subject, name string, task uint32, bytes int) (*capture.Capture, error) {
	from, err := CaptureSource(s, name)
	if err != nil {
		return nil, err
	}
	return capture.Take(ctx, from, capture.Options{Name: name, Task: task, Live: s.Kind() == Live, Bytes: bytes})
}

// CaptureSource is a subject as tasks are captured from it. The error is ErrSubject for raw buffers.
func CaptureSource(s Subject, name string) (capture.Source, error) {
	buffers, ok := s.(bufferSource)
	if !ok {
		return nil, &fault.Error{Kind: ErrSubject, Subject: name, Detail: "raw buffers do not include the kernel", Fix: "capture a task of a live run or a recording"}
	}
	return captured{s, buffers}, nil
}
