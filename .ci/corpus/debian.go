package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debianPrefix is before the name of a source package in the place of a repository.
const debianPrefix = "debian/"

// suite is the release of Debian whose source packages are fetched.
const suite = "bookworm"

// debian fetches source packages with apt-get, whose lists and configuration are in a folder of its own: those of the system may lack
// source packages, and stay as they are.
type debian struct {
	folder   string
	updated  bool
	err      error // of the update
	packages map[string]*source
}

// source is a source package that was fetched.
type source struct {
	tars []string
	err  error
}

// get copies one file out of the package.
func (d *debian) get(ctx context.Context, root string, s *shader, name string) ([]byte, error) {
	key := strings.TrimPrefix(s.repo, debianPrefix) + "=" + s.commit
	p := d.packages[key]
	if p == nil {
		p = new(source)
		p.tars, p.err = d.fetch(ctx, key)
		d.packages[key] = p
	}
	if p.err != nil {
		return nil, p.err
	}
	err := errors.New("the package has no archive")
	for _, tar := range p.tars {
		var text []byte
		if text, err = exec.CommandContext(ctx, "tar", "-xOf", tar, "--wildcards", "--no-wildcards-match-slash", "*/"+name).Output(); err == nil {
			return text, write(filepath.Join(root, filepath.FromSlash(name)), text)
		}
	}
	return nil, fmt.Errorf("%s: %s: %w", key, name, err)
}

// fetch fetches a package, and returns its archives.
func (d *debian) fetch(ctx context.Context, key string) ([]string, error) {
	if d.update(ctx); d.err != nil {
		return nil, d.err
	}
	folder := filepath.Join(d.folder, "packages", key)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	// What Debian adds may be gone from a mirror, and is not needed.
	out, failure := d.apt(ctx, folder, "source", "--download-only", "-qq", key)
	tars, err := filepath.Glob(filepath.Join(folder, "*.orig*.tar.*"))
	if err == nil && len(tars) == 0 {
		err = fmt.Errorf("%s: %w: %s", key, failure, out)
	}
	return tars, err
}

// update gets the list of source packages, once.
func (d *debian) update(ctx context.Context) {
	if d.updated {
		return
	}
	d.updated = true
	for _, sub := range []string{"lists/partial", "cache/archives/partial"} {
		if d.err = os.MkdirAll(filepath.Join(d.folder, sub), 0o755); d.err != nil {
			return
		}
	}
	const key = "/usr/share/keyrings/debian-archive-keyring.gpg"
	lines := "deb-src [signed-by=" + key + "] http://deb.debian.org/debian " + suite + " main\n"
	if d.err = write(filepath.Join(d.folder, "sources.list"), []byte(lines)); d.err != nil {
		return
	}
	if out, err := d.apt(ctx, d.folder, "update", "-qq"); err != nil {
		d.err = fmt.Errorf("apt-get update: %w: %s", err, out)
	}
}

// apt runs apt-get with the folder's own lists.
func (d *debian) apt(ctx context.Context, folder string, args ...string) ([]byte, error) {
	own := []string{
		"-o", "Dir::Etc::sourcelist=" + filepath.Join(d.folder, "sources.list"), "-o", "Dir::Etc::sourceparts=-",
		"-o", "Dir::State::lists=" + filepath.Join(d.folder, "lists"), "-o", "Dir::Cache=" + filepath.Join(d.folder, "cache"), "-o", "APT::Sandbox::User=root",
	}
	cmd := exec.CommandContext(ctx, "apt-get", append(own, args...)...)
	cmd.Dir = folder
	return cmd.CombinedOutput()
}

// write writes a file, with its folder.
func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
