package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"vyretop/engine/fault"
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

// File is the text of a file of the kernel: the workload's or the kernel's own.
func (t *Text) File(name string) (text string, ok bool) {
	for _, list := range [][]*source.File{t.Config.Sources, t.Includes} {
		if i := slices.IndexFunc(list, func(f *source.File) bool { return f.Name == name }); i >= 0 {
			return list[i].Text, true
		}
	}
	own, err := embedded.ReadFile("glsl/" + strings.TrimPrefix(name, prefix))
	return string(own), err == nil
}

// ErrText is matched by errors about a stored kernel text.
const ErrText fault.Kind = "kernel text cannot be used"

// Assembly is the configuration that Text was made from. The error is ErrText when this vyretop has other files of the
// kernel's own.
func (t *Text) Assembly() (Config, error) {
	if t.Digest != Digest() {
		return Config{}, &fault.Error{Kind: ErrText, Op: "use the text of the kernel", Detail: fmt.Sprintf("the kernel was assembled from files with the digest %.12s, and this vyretop has %.12s", t.Digest, Digest()), Fix: "use the version of vyretop that ran it"}
	}
	c := t.Config
	c.Resolver = includes(t.Includes)
	return c, nil
}

// maxTextBytes bounds a text that is unpacked.
const maxTextBytes = 16 << 20

// Pack encodes the text as compressed JSON.
func (t *Text) Pack() ([]byte, error) {
	data, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(data, nil), nil
}

// Unpack decodes what Pack made. The error is ErrText.
func Unpack(packed []byte) (*Text, error) {
	if len(packed) == 0 {
		return nil, &fault.Error{Kind: ErrText, Op: "read the text of the kernel", Detail: "the target does not include it", Fix: "use a run or a recording of this version of vyretop"}
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxTextBytes))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := r.DecodeAll(packed, nil)
	t := &Text{}
	if err == nil {
		err = json.Unmarshal(data, t)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrText, Op: "read the text of the kernel", Detail: "it is damaged", Cause: err, Fix: "record the run again"}
	}
	return t, nil
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
