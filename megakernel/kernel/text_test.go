package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
	"vyretop/megakernel/kernel"
)

func storedText(t *testing.T) *kernel.Text {
	t.Helper()
	k, err := kernel.Assemble(kernel.Config{
		Name: "stored", WorkgroupSize: 4, Handlers: []kernel.Handler{{Opcode: 16, Name: "end", Function: "end"}},
		Sources: []*source.File{{Name: "end.glsl", Text: "void end(inout Task t) {}\n"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.Text()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := text.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if text, err = kernel.Unpack(packed); err != nil {
		t.Fatal(err)
	}
	return text
}

// A stored kernel is assembled from the files that it was made of, also by a vyretop that has others.
func TestStoredKernelsKeepTheirOwnFiles(t *testing.T) {
	text, err := storedText(t).WithOwn()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range text.Own {
		if f.Name == "vyretop/clock.glsl" {
			f.Text = "this is not GLSL\n"
		}
	}
	assemble := func() error {
		c, err := text.Assembly()
		if err == nil {
			_, err = kernel.Assemble(c)
		}
		return err
	}
	if err := assemble(); err != nil {
		t.Errorf("of the same version: %v", err)
	}
	text.Digest = "of another version"
	if err := assemble(); err == nil || !strings.Contains(err.Error(), "vyretop/clock.glsl") {
		t.Errorf("of another version: %v, want an error in vyretop/clock.glsl", err)
	}
	text.Own = nil
	if err := assemble(); !errors.Is(err, kernel.ErrText) {
		t.Errorf("of another version, without its files: %v", err)
	}
}

func TestDamagedTextsAreRefused(t *testing.T) {
	packed, err := storedText(t).Pack()
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(packed); n += 1 + len(packed)/200 {
		if _, err := kernel.Unpack(packed[:n]); !errors.Is(err, kernel.ErrText) {
			t.Fatalf("%d of %d bytes: %v", n, len(packed), err)
		}
	}
	for name, damage := range map[string]func(x *kernel.Text){ // assembling them panicked
		"handler files":    func(x *kernel.Text) { x.Config.Sources = []*source.File{nil} },
		"included files":   func(x *kernel.Text) { x.Includes = []*source.File{nil} },
		"the kernel's own": func(x *kernel.Text) { x.Own = []*source.File{nil} },
	} {
		text := storedText(t)
		damage(text)
		packed, err := text.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kernel.Unpack(packed); !errors.Is(err, kernel.ErrText) {
			t.Errorf("null in %s: %v", name, err)
		}
	}
}
