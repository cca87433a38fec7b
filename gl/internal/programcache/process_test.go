package programcache

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// childVariable holds the directory in the processes that TestProcessesShareADirectory starts.
const childVariable = "PROGRAMCACHE_TEST_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := hammer(dir, uint64(os.Getpid())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// hammerLimit has room for half of the programs that hammer uses.
const hammerLimit = 16 * blockBytes

// hammer stores and loads a few programs again and again, in a cache that is too small for them.
func hammer(dir string, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	c := New(dir, hammerLimit)
	for range 500 {
		n := r.IntN(32)
		k := NewKey(fmt.Sprint(n))
		want := Program{Format: uint32(n), Data: bytes.Repeat([]byte{byte(n)}, 100*n), Log: fmt.Sprint(n)}
		if p, ok := c.Load(k); ok {
			if p.Format != want.Format || p.Log != want.Log || !bytes.Equal(p.Data, want.Data) {
				return fmt.Errorf("program %d is %v", n, p)
			}
			continue
		}
		if err := c.Store(k, want); err != nil {
			return err
		}
	}
	if n := c.Counters(); n.Dropped > 0 || n.Stored == 0 || n.Evicted == 0 {
		return fmt.Errorf("nothing was damaged, and the limit was reached, but the counters are %+v", n)
	}
	return nil
}

func TestProcessesShareADirectory(t *testing.T) {
	dir := t.TempDir()
	var processes []*exec.Cmd
	for range 3 {
		p := exec.CommandContext(t.Context(), os.Args[0])
		p.Env = append(os.Environ(), childVariable+"="+dir)
		p.Stderr = os.Stderr
		check(t, p.Start())
		processes = append(processes, p)
	}
	own := hammer(dir, 1)
	for _, p := range processes {
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
	}
	check(t, own)
	check(t, New(dir, hammerLimit).trim())
	files, err := os.ReadDir(dir)
	check(t, err)
	total := int64(0)
	for _, f := range files {
		info, err := f.Info()
		check(t, err)
		total += onDisk(info.Size())
		if !isEntry(f.Name()) {
			t.Errorf("%s was left behind", f.Name())
		}
	}
	if total > hammerLimit {
		t.Errorf("%d bytes are kept, beyond the limit", total)
	}
}
