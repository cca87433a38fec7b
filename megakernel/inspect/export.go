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
)

// Forms are what a subject can be exported as. FormBuffer is the words of one buffer, by OpenBuffer; the others are written by
// Export, but for FormParquet, which ExportTable writes.
var Forms = []string{formLines, formCSV, formTrace, FormPerfetto, formOTLP, FormMCAP, FormParquet, FormRaw, FormGoTest, FormBuffer}

// The forms; help export describes them.
const (
	formLines    = "ndjson"
	formCSV      = "csv"
	formTrace    = "trace"
	FormPerfetto = "perfetto"
	formOTLP     = "otlp"
	FormMCAP     = "mcap"
	FormParquet  = "parquet"
	FormRaw      = "raw"
	FormGoTest   = "gotest"
	FormBuffer   = "buffer"
)

// Binary reports whether a form is not text.
func Binary(form string) bool {
	return slices.Contains([]string{FormRaw, FormBuffer, FormPerfetto, FormMCAP, FormParquet}, form)
}

// Export writes a subject in a form; a live one is followed for atMost, or to its end if that is 0. Errors are those of the
// subject and of w, and of a Go test ErrGoTest and ErrNoRing.
func Export(ctx context.Context, s Subject, atMost time.Duration, form string, w io.Writer) error {
	switch form {
	case FormRaw, FormGoTest:
		return exportMoment(ctx, s, form, w)
	case formCSV:
		table := NewCSV(w, s)
		return errors.Join(Briefly(s, atMost).Follow(ctx, table.Take), table.Close())
	case formTrace:
		t := NewTrace(w, s.Header())
		return errors.Join(Briefly(s, atMost).Follow(ctx, t.Take), t.Close())
	case FormPerfetto:
		t := NewPerfetto(w, s.Header())
		return errors.Join(Briefly(s, atMost).Follow(ctx, t.Take), t.Close())
	case FormMCAP:
		t, err := NewMCAP(w, s)
		if err != nil {
			return err
		}
		return errors.Join(Briefly(s, atMost).Follow(ctx, t.Take), t.Close())
	case formOTLP:
		t := NewOTLP(w, s.Header())
		return errors.Join(Briefly(s, atMost).Follow(ctx, t.Take), t.Close())
	}
	buffered := bufio.NewWriter(w)
	l := &Lines{W: buffered, JSON: true, Subject: s, Log: true, Events: true, Samples: true}
	contents := func(ctx context.Context, s Subject) error { return WriteContents(ctx, s, buffered) }
	return errors.Join(withContents(ctx, s, atMost, l.Take, contents), buffered.Flush())
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
