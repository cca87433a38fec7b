package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// maxText bounds a text that is fetched.
const maxText = 4 << 20

var client = http.Client{Timeout: 30 * time.Second}

// fetch gets a shader with what it includes from beside it, and returns its file.
func (r *runner) fetch(ctx context.Context, s *shader) (string, error) {
	if r.from != "" {
		return filepath.Join(r.from, s.path), nil
	}
	root := filepath.Join(r.folder, filepath.FromSlash(s.repo), s.commit)
	get := get
	if strings.HasPrefix(s.repo, debianPrefix) {
		get = r.debian.get
	}
	text, err := get(ctx, root, s, s.path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	if found := hex.EncodeToString(sum[:]); s.sum == "" {
		s.sum = found
	} else if s.sum != found {
		return "", fmt.Errorf("its SHA-256 is %s. Fix: correct the list", found)
	}
	included(ctx, root, s, s.path, text, map[string]bool{s.path: true}, get)
	file := filepath.Join(root, filepath.FromSlash(s.path))
	return file, s.instantiate(file, text)
}

// instantiate writes a template with the values of its names.
func (s *shader) instantiate(file string, text []byte) error {
	if len(s.values) == 0 {
		return nil
	}
	var pairs []string
	for _, v := range s.values {
		name, value, _ := strings.Cut(v, "=")
		pairs = append(pairs, name, value)
	}
	return os.WriteFile(file, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o644)
}

// getter gets one file of the source of a shader, and writes it below a folder.
type getter func(ctx context.Context, root string, s *shader, name string) ([]byte, error)

var include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+["<]([^">\n]+)[">]`)

// included gets the files that a text includes, from beside it or from a folder above. One that is not there is found missing by the
// compiler.
func included(ctx context.Context, root string, s *shader, name string, text []byte, have map[string]bool, get getter) {
	for _, m := range include.FindAllSubmatch(text, -1) {
		for _, folder := range above(name) {
			next := path.Join(folder, string(m[1]))
			if have[next] {
				break
			}
			if !filepath.IsLocal(next) || len(have) > mostFiles {
				continue
			}
			if more, err := get(ctx, root, s, next); err == nil {
				have[next] = true
				included(ctx, root, s, next, more, have, get)
				break
			}
		}
	}
}

// mostFiles bounds how many files are fetched for one shader.
const mostFiles = 64

// above are the folder of a file and those that hold it, within the repository.
func above(name string) (list []string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if list = append(list, dir); dir == "." {
			return list
		}
	}
}

// get gets one file of the repository at the commit.
func get(ctx context.Context, root string, s *shader, name string) ([]byte, error) {
	file := filepath.Join(root, filepath.FromSlash(name))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://raw.githubusercontent.com/"+s.repo+"/"+s.commit+"/"+name, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", request.URL, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxText))
	if err != nil {
		return nil, err
	}
	return text, write(file, text)
}
