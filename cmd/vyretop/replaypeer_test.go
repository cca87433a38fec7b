package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/megakernel/peer"
)

// TestReplayOfThePeersLog: a file of the published peer is shown, and a damaged one is refused as such.
func TestReplayOfThePeersLog(t *testing.T) {
	l, err := peer.NewReplayLog(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(peer.ReplayRecord{Slot: 5, Opcode: 7}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		file   []byte
		status int
		says   string
	}{
		{"whole", l.Bytes(), exitOK, "1 of 2 records"},
		{"breaks off", l.Bytes()[:100], exitUsage, "replay log breaks off: it has 100 bytes, needs 160. Fix: "},
		{"something else", []byte("VRRL"), exitUsage, "is not a vyretop recording"},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, tt.file, 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		status := doMain([]string{"replay", path}, strings.NewReader(""), &stdout, &stderr, nil)
		if status != tt.status || !strings.Contains(stdout.String()+stderr.String(), tt.says) {
			t.Errorf("%s: status %d, %s%s", tt.name, status, &stdout, &stderr)
		}
	}
}
