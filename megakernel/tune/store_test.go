package tune

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func entry() Entry {
	return Entry{
		Schema: StoreSchema, Key: Key{Backend: "gl", Renderer: "llvmpipe", Driver: "4.5", Workload: "scan", WorkgroupSize: 8},
		Workers: 2, Lanes: 8, Slice: 10 * time.Millisecond, Ratio: 1.2, Low: 1.1, High: 1.3, Found: time.Unix(7, 0).UTC(), Version: "v",
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	e := entry()
	for _, e.Workers = range []int{3, 2} {
		path, err := Save(dir, e)
		if err != nil || path != StorePath(dir, e.Key) {
			t.Fatal(path, err)
		}
	}
	got, err := Load(dir, e.Key)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&e, got); diff != "" {
		t.Error(diff)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
	for name, change := range map[string]func(*Key){
		"backend": func(k *Key) { k.Backend = "x" }, "renderer": func(k *Key) { k.Renderer = "x" }, "driver": func(k *Key) { k.Driver = "x" },
		"workload": func(k *Key) { k.Workload = "x" }, "workgroup size": func(k *Key) { k.WorkgroupSize = 9 },
	} {
		other := e.Key
		change(&other)
		if got, err := Load(dir, other); got != nil || err != nil {
			t.Errorf("another %s: %+v, %v", name, got, err)
		}
	}
}

// TestDamagedEntriesCountAsNone: a run must not fail because of them.
func TestDamagedEntriesCountAsNone(t *testing.T) {
	dir := t.TempDir()
	good := entry()
	path, err := Save(dir, good)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(path)
	for name, text := range map[string]string{
		"empty": "", "cut": string(whole[:len(whole)/2]), "no JSON": "workers = 3", "no object": "[]", "other schema": `{"schema":"vyretop.tuned/2"}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(dir, good.Key); got != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, change := range []func(*Entry){func(e *Entry) { e.Workers = 0 }, func(e *Entry) { e.Lanes = 9 }, func(e *Entry) { e.Slice = -1 }} {
		bad := good
		change(&bad)
		if _, err := Save(dir, bad); err != nil {
			t.Fatal(err)
		}
		if got, _ := Load(dir, bad.Key); got != nil {
			t.Errorf("no kernel runs as %+v", got)
		}
	}
}

func TestDirectoryThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(filepath.Join(file, "below"), entry()); !errors.Is(err, ErrStore) {
		t.Errorf("below a file: %v", err)
	}
	if _, err := Load(filepath.Join(file, "below"), entry().Key); !errors.Is(err, ErrStore) {
		t.Errorf("load from below a file: %v", err)
	}
	if _, err := Save("", entry()); !errors.Is(err, ErrStore) {
		t.Errorf("nowhere: %v", err)
	}
	if got, err := Load("", entry().Key); got != nil || err != nil {
		t.Errorf("load from nowhere: %+v, %v", got, err)
	}
}

func TestStoreDir(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"XDG_STATE_HOME=/s", "HOME=/h"}, "/s/vyretop/tuned"},
		{[]string{"XDG_STATE_HOME=relative", "HOME=/h"}, "/h/.local/state/vyretop/tuned"},
		{[]string{"HOME=/g", "HOME=/h"}, "/h/.local/state/vyretop/tuned"},
		{nil, ""},
	} {
		if got := StoreDir(c.env); got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}
