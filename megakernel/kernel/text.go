package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// Text is what a kernel is assembled from, in a form that can be stored and sent: the configuration, the workload's
// files and the digest of the kernel's own files, which every vyretop of the same version has.
type Text struct {
	Digest   string         `json:"digest"` // of the kernel's own files, SHA-256 in hexadecimal
	Config   Config         `json:"config"`
	Includes []*source.File `json:"includes,omitempty"` // files that the handler files include, besides the kernel's own
}

// Text returns what the kernel was assembled from. Errors are the resolver's.
func (k *Kernel) Text() (*Text, error) {
	t := &Text{Digest: Digest(), Config: k.Config}
	t.Config.Resolver = nil
	for _, name := range k.Program.Files {
		own := strings.HasPrefix(name, prefix)
		source := slices.ContainsFunc(k.Config.Sources, func(f *source.File) bool { return f.Name == name })
		if own || source || k.Config.Resolver == nil {
			continue
		}
		f, err := k.Config.Resolver.Resolve(name, "")
		if err != nil {
			return nil, err
		}
		t.Includes = append(t.Includes, f)
	}
	return t, nil
}

// Assembly is the configuration that Text was made from. The error is a *DigestError when this vyretop has other files
// of the kernel's own.
func (t *Text) Assembly() (Config, error) {
	if t.Digest != Digest() {
		return Config{}, &DigestError{Want: t.Digest, Have: Digest()}
	}
	c := t.Config
	c.Resolver = includes(t.Includes)
	return c, nil
}

// DigestError says that a stored kernel was assembled with other files than this vyretop has.
type DigestError struct {
	Want, Have string
}

// Error implements error.
func (e *DigestError) Error() string {
	return fmt.Sprintf("kernel text: it was assembled from kernel files with the digest %.12s, this vyretop has %.12s. Fix: open it with the version of vyretop that wrote it", e.Want, e.Have)
}

// Digest identifies the kernel's own files: SHA-256 over their names and texts, in hexadecimal.
var Digest = sync.OnceValue(func() string {
	h := sha256.New()
	err := fs.WalkDir(embedded, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(embedded, path)
		fmt.Fprintf(h, "%s %d\n", path, len(text))
		h.Write(text)
		return err
	})
	if err != nil {
		panic("BUG: " + err.Error()) // the files are in the program
	}
	return hex.EncodeToString(h.Sum(nil))
})

// includes resolves the files of a Text.
type includes []*source.File

// Resolve implements preprocess.Resolver.
func (s includes) Resolve(name, from string) (*source.File, error) {
	if i := slices.IndexFunc(s, func(f *source.File) bool { return f.Name == name }); i >= 0 {
		return s[i], nil
	}
	return nil, &preprocess.NotFound{Name: name, From: from, Places: []string{"the stored kernel text"}}
}
