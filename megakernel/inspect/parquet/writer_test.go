package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel/inspect/parquet"
)

var rewrite = flag.Bool("rewrite", false, "write the golden file")

// golden was read by parquet-go 0.32 and DuckDB 1.5; the bytes are compared.
const golden = "testdata/small.parquet"

// TestBytesAreThoseThatOthersRead: numbers, texts and truths, values that are not known, and a column of nothing else.
func TestBytesAreThoseThatOthersRead(t *testing.T) {
	var out bytes.Buffer
	w, err := parquet.New(&out, []string{"n", "text", "truth", "nothing"}, [2]string{"about", "a test"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(70_000) { // two row groups
		var text any = "é"
		if i%3 == 0 {
			text = nil
		}
		n := any(i % 100 << 40)
		if i < 10 {
			n = nil
		}
		if err := w.Row(n, text, i%5 == 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%d bytes, want %d; %v", out.Len(), len(want), err)
	}
}

// TestFooterIsWhereTheFileSays, whatever the rows.
func TestFooterIsWhereTheFileSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		w, err := parquet.New(&out, []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 50).Draw(t, "rows") {
			var a any
			if rapid.Bool().Draw(t, "there") {
				a = rapid.Uint64().Draw(t, "a")
			}
			if err := w.Row(a, rapid.String().Draw(t, "b")); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b := out.Bytes()
		size := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
		if string(b[:4]) != "PAR1" || string(b[len(b)-4:]) != "PAR1" || size+12 > len(b) || b[len(b)-9] != 0 {
			t.Errorf("%d bytes, footer of %d", len(b), size)
		}
	})
}

// TestColumnsHaveOneType: another one is an error, and so is one that Parquet has no column for here.
func TestColumnsHaveOneType(t *testing.T) {
	for _, values := range [][]any{{uint64(1), "x"}, {true, uint64(1)}, {1.5}} {
		w, err := parquet.New(new(bytes.Buffer), []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			err = w.Row(v)
		}
		if !errors.Is(err, parquet.ErrValue) {
			t.Errorf("%v: %v", values, err)
		}
	}
}

// TestColumnsMayBeKnownLate: what a column holds may be decided row groups after the first.
func TestColumnsMayBeKnownLate(t *testing.T) {
	w, err := parquet.New(new(bytes.Buffer), []string{"late"})
	if err != nil {
		t.Fatal(err)
	}
	for range 70_000 {
		if err := w.Row(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Row(uint64(1)), w.Close()); err != nil {
		t.Error(err)
	}
}
