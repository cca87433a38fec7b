package main

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
	"vyretop/tasks"
)

// flooding is a subject whose snapshots do not compress, until what takes them gives up.
type flooding struct {
	inspect.Subject
}

func (flooding) Kind() inspect.Kind { return inspect.Live }

func (flooding) Header() fixtures.Header { return hostileHeader(512) }

func (flooding) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for seq := uint64(1); ; seq++ {
		control, err := megakernel.EncodeControl(4, 0)
		if err != nil {
			return err
		}
		slots := ringOf(512)
		for i := range slots {
			if i%tasks.SlotWords > 8 {
				h := fnv.New32a()
				_ = binary.Write(h, binary.LittleEndian, []uint64{seq, uint64(i)})
				slots[i] = h.Sum32()
			}
		}
		if err := each(&fixtures.StreamMessage{Snapshot: &megakernel.Snapshot{Seq: seq, Taken: time.Duration(seq) * 100 * time.Millisecond, Control: control, Slots: slots}}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// smallDisk is a file system of 256 KiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestRecordEndsWhenTheDiskIsFull: on a disk that is really full vyretop record ends by itself, with one error and a status
// that is not 0, and what was written opens.
func TestRecordEndsWhenTheDiskIsFull(t *testing.T) {
	path := filepath.Join(smallDisk(t), "run.mcap")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := inspect.RecordTo(ctx, flooding{}, 0, path, fixtures.Segments{}, func(text string) { t.Logf("warned: %s", text) })
	if !errors.Is(err, syscall.ENOSPC) || strings.Count(err.Error(), "Fix: ") != 1 || exitStatus(err) == exitOK {
		t.Fatalf("status %d, error %v", exitStatus(err), err)
	}
	if ctx.Err() != nil {
		t.Fatal("it did not end by itself")
	}
	r, err := fixtures.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Snapshots() == 0 {
		t.Error("nothing of it can be read")
	}
	t.Logf("%d snapshots are read", r.Snapshots())
}
