package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"vyretop/engine/plainfile"
)

// postponedSuffix is that of the file beside a recording that says which hub did not get it.
const postponedSuffix = ".hub"

// maxPostponed bounds what such a file holds, in bytes.
const maxPostponed = 4096

// Postpone notes beside a recording that a hub is to get it when it is reached. Passwords are left out.
func Postpone(file, hub string) error {
	return os.WriteFile(file+postponedSuffix, []byte(Redact(hub)+"\n"), 0o600)
}

// Postponed are the notes of a folder about recordings that a hub did not get.
func Postponed(dir string) []string {
	notes, _ := filepath.Glob(filepath.Join(dir, "*"+postponedSuffix)) // only a malformed pattern is an error
	return notes
}

// SendPostponed puts the recordings of a folder at the hub that it did not get before. What it does not take now stays for the next time.
func (h *Hub) SendPostponed(ctx context.Context, dir, host string) (sent []string) {
	for _, note := range Postponed(dir) {
		file := strings.TrimSuffix(note, postponedSuffix)
		if _, err := os.Stat(file); err != nil {
			_ = os.Remove(note) // newer ones have replaced the recording
			continue
		}
		text, err := plainfile.Read(note, maxPostponed)
		if err != nil || strings.TrimSpace(string(text)) != h.url {
			continue
		}
		if name, err := h.PutRecording(ctx, file, host); err == nil {
			_ = os.Remove(note) // else it is sent again, under the same name
			sent = append(sent, name)
		}
	}
	return sent
}
