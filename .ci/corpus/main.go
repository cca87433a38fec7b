// Corpus runs public compute shaders on the reference backend and on OpenGL, and says how many are taken and come to equal results.
//
//	corpus [-list FILE] [-from DIR] [-program bin/vyretop] [-pin]
//
// The list names them: a line is a repository of GitHub, a commit, a path, the SHA-256 of the text where it is pinned, and
// flags of check and dispatch. In the place of a repository and a commit there may be debian/PACKAGE and the version of a source package of Debian,
// from which apt-get fetches it; $NAME=TEXT replaces a name of a template. Texts are
// fetched into a folder that is removed. With -from, the .comp files below a folder are run in their place; nothing is fetched.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// shader is a line of the list, or a file of a folder.
type shader struct {
	repo, commit, path, sum string
	flags                   []string // with which it is compiled
	values                  []string // of the names of a template: $NAME=TEXT
}

func (s *shader) String() string { return strings.TrimPrefix(s.repo+" "+s.path, " ") }

func run(ctx context.Context, out io.Writer) error {
	list := flag.String("list", ".ci/corpus/list.txt", "file with the shaders")
	from := flag.String("from", "", "run the .comp files below this folder in the place of the list")
	program := flag.String("program", "bin/vyretop", "the program that runs them")
	pin := flag.Bool("pin", false, "write the SHA-256 of what is fetched into the list")
	flag.Parse()
	shaders, err := read(*list)
	if *from != "" {
		shaders, err = below(*from)
	}
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	r := &runner{program: *program, folder: folder, from: *from, debian: &debian{folder: filepath.Join(folder, "apt"), packages: map[string]*source{}}, counts: map[outcome]int{}}
	for i := range shaders {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		what, detail := r.shader(ctx, &shaders[i])
		r.counts[what]++
		fmt.Fprintf(out, "%-12s %s%s\n", what, shaders[i].String(), detail)
	}
	r.summary(out, len(shaders))
	if *pin && *from == "" {
		return rewrite(*list, shaders)
	}
	return nil
}

// read reads a list. Lines that begin with # are comments.
func read(name string) (list []shader, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 3 {
			return nil, fmt.Errorf("%s: %q is not a repository, a commit and a path. Fix: write all three", name, lines.Text())
		}
		s := shader{repo: fields[0], commit: fields[1], path: fields[2]}
		for _, field := range fields[3:] {
			switch field[0] {
			case '-':
				s.flags = append(s.flags, field)
			case '$':
				s.values = append(s.values, field)
			default:
				s.sum = field
			}
		}
		list = append(list, s)
	}
	return list, lines.Err()
}

// rewrite writes the list with what was pinned; comments at its head stay.
func rewrite(name string, list []shader) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	for _, s := range list {
		line := slices.Concat([]string{s.repo, s.commit, s.path, s.sum}, s.values, s.flags)
		fmt.Fprintln(&b, strings.Join(slices.DeleteFunc(line, func(field string) bool { return field == "" }), " "))
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// below lists the .comp files of a folder.
func below(folder string) (list []shader, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".comp") {
			name, _ := filepath.Rel(folder, path) // it is below
			list = append(list, shader{path: name})
		}
		return err
	})
	return list, err
}
