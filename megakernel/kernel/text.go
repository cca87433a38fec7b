package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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
// files and the digest of the kernel's own files, or with WithOwn these files.
type Text struct {
	Digest   string         `json:"digest"` // of the kernel's own files, SHA-256 in hexadecimal
	Own      []*source.File `json:"own,omitempty"`
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
	f, err := ownFile(t.Own, name)
	if err != nil {
		return "", false
	}
	return f.Text, true
}

// ownFile is one of the kernel's own files: of a stored kernel, or where there is none of this program.
func ownFile(stored []*source.File, name string) (*source.File, error) {
	if i := slices.IndexFunc(stored, func(f *source.File) bool { return f.Name == name }); i >= 0 {
		return stored[i], nil
	}
	text, err := embedded.ReadFile("glsl/" + strings.TrimPrefix(name, prefix))
	return &source.File{Name: name, Text: string(text)}, err
}

// ownFiles are all of this program.
func ownFiles() (list []*source.File, err error) {
	err = fs.WalkDir(embedded, "glsl", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := embedded.ReadFile(path)
		list = append(list, &source.File{Name: prefix + strings.TrimPrefix(path, "glsl/"), Text: string(text)})
		return err
	})
	return list, err
}

// ErrText is matched by errors about a stored kernel text.
const ErrText fault.Kind = "kernel text cannot be used"

// WithOwn is the text with the kernel's own files, which other versions of vyretop can assemble, too. The error is ErrText
// when this vyretop has other files.
func (t *Text) WithOwn() (*Text, error) {
	if len(t.Own) > 0 {
		return t, nil
	}
	if t.Digest != Digest() {
		return nil, t.otherVersion()
	}
	own, err := ownFiles()
	out := *t
	out.Own = own
	return &out, err
}

func (t *Text) otherVersion() error {
	return &fault.Error{Kind: ErrText, Op: "use the text of the kernel", Detail: fmt.Sprintf("the kernel was assembled from files with the digest %.12s, and this vyretop has %.12s", t.Digest, Digest()), Fix: "use the version of vyretop that ran it"}
}

// Assembly is the configuration that Text was made from. Its kernel is assembled from the files in the text where this
// vyretop has others; the error is ErrText where it has none.
func (t *Text) Assembly() (Config, error) {
	c, same := t.WithThisKernel()
	if same {
		return c, nil
	}
	if len(t.Own) == 0 {
		return c, t.otherVersion()
	}
	c.own = t.Own
	return c, nil
}

// WithThisKernel is the configuration that Text was made from, for a kernel of this program's own files; same reports whether
// Text was made from the same ones.
func (t *Text) WithThisKernel() (c Config, same bool) {
	c = t.Config
	c.Resolver = includes(t.Includes)
	return c, t.Digest == Digest()
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

// errNoFile is why a text that has null among its files is damaged.
var errNoFile = errors.New("a file is missing")

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
	if err == nil && slices.Contains(slices.Concat(t.Own, t.Config.Sources, t.Includes), nil) {
		err = errNoFile
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
	return nil, preprocess.NotFound(name, "the stored kernel text")
}
