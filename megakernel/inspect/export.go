package inspect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
)

// Forms are what a subject can be exported as. FormBuffer is the words of one buffer, by OpenBuffer; Exporting
// writes the others.
var Forms = []string{formLines, formCSV, formTrace, FormPerfetto, FormOTLP, FormMCAP, FormParquet, FormRaw, FormGoTest, FormBuffer}

// The forms; help export describes them.
const (
	formLines    = "ndjson"
	formCSV      = "csv"
	formTrace    = "trace"
	FormPerfetto = "perfetto"
	FormOTLP     = "otlp"
	FormMCAP     = "mcap"
	FormParquet  = "parquet"
	FormRaw      = "raw"
	FormGoTest   = "gotest"
	FormBuffer   = "buffer"
)

// Selective reports whether a form can be of a part of a recording.
func Selective(form string) bool {
	return !slices.Contains([]string{FormRaw, FormBuffer, FormGoTest}, form)
}

// Filtered reports whether records of the log can be chosen for a form, and for a table of FormParquet.
func Filtered(form, table string) bool {
	if form == FormParquet {
		return table == tableLog || table == tableActivations
	}
	return Selective(form) && form != formCSV
}

// Binary reports whether a form is not text.
func Binary(form string) bool {
	return slices.Contains([]string{FormRaw, FormBuffer, FormPerfetto, FormMCAP, FormParquet}, form)
}

// Exporting says how a subject is exported.
type Exporting struct {
	Form   string
	Table  string        // of FormParquet
	AtMost time.Duration // of a live subject; 0: to its end
	Selection
	Collector *Collector // of FormOTLP: what spans are sent to, in place of the file; nil for none
	Meter     *Meter     // nil, or what is told how far it is
}

// ErrInterrupted is matched by the error about an export of a recording that was ended before it was complete.
const ErrInterrupted fault.Kind = "interrupted"

// Write exports a subject. Errors are those of the subject and of w, of a Go test ErrGoTest and ErrNoRing, and ErrInterrupted.
func (e *Exporting) Write(ctx context.Context, s Subject, w io.Writer) error {
	err := e.write(ctx, s, w)
	if err == nil && s.Kind() != Live && ctx.Err() != nil {
		err = &fault.Error{Kind: ErrInterrupted, Op: "export", Detail: "the export is not complete", Fix: "let it end, or select less with --from, --to or --filter"}
	}
	return err
}

// along is a subject with the limits of its following.
func (e *Exporting) along(s Subject) Subject {
	s = Briefly(From(s, e.From), e.AtMost)
	if e.Meter != nil {
		return metered{s, e.Meter}
	}
	return s
}

// taker writes what it is told of a target.
type taker interface {
	Take(*fixtures.StreamMessage) error
	Close() error
}

// taker is what writes the form; nil for others.
func (e *Exporting) taker(ctx context.Context, s Subject, w io.Writer) (taker, error) {
	h := s.Header()
	switch e.Form {
	case formCSV:
		return NewCSV(w, s), nil
	case formTrace:
		t := NewTrace(w, h)
		t.teller.keep = e.Keep
		return t, nil
	case FormPerfetto:
		t := NewPerfetto(w, h)
		t.teller.keep = e.Keep
		return t, nil
	case FormOTLP:
		t := NewOTLP(w, h)
		if e.Collector != nil {
			t = SendOTLP(context.WithoutCancel(ctx), e.Collector, h) // what was followed until Ctrl-C is sent, too
		}
		t.teller.keep = e.Keep
		return t, nil
	case FormMCAP:
		t, err := NewMCAP(w, s)
		if err != nil {
			return nil, err
		}
		t.teller.keep = e.Keep
		return t, nil
	}
	return nil, nil
}

func (e *Exporting) write(ctx context.Context, s Subject, w io.Writer) error {
	switch e.Form {
	case FormRaw, FormGoTest:
		return exportMoment(ctx, s, e.Form, w)
	case FormParquet:
		return e.table(ctx, s, w)
	}
	t, err := e.taker(ctx, s, w)
	if err != nil {
		return err
	}
	if t != nil {
		err = e.along(s).Follow(ctx, t.Take)
		if closed := t.Close(); err == nil { // which returns the error of writing again
			err = closed
		}
		if o, ok := t.(*OTLP); ok && err == nil && (s.Kind() == Live || ctx.Err() == nil) {
			err = o.empty()
		}
		return err
	}
	buffered := bufio.NewWriter(w)
	l := &Lines{W: buffered, JSON: true, Subject: s, Log: true, Events: true, Samples: true, keepLog: e.Keep}
	contents := func(ctx context.Context, s Subject) error { return WriteContents(ctx, s, buffered) }
	return errors.Join(withContents(ctx, s, e.along(s), l.Take, contents), buffered.Flush())
}

// maxRawRecords is how many debug-log records a snapshot has at most: the newest.
const maxRawRecords = 1 << 18

// exportMoment writes what a subject is now.
func exportMoment(ctx context.Context, s Subject, form string, w io.Writer) error {
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	log := s.LastLog(maxRawRecords)
	out := w
	if form == FormGoTest {
		out = &raw
	}
	if err := WriteRaw(out, now, log); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if form == FormRaw {
		return nil
	}
	return WriteGoTest(w, s.Header(), now, raw.Bytes())
}
