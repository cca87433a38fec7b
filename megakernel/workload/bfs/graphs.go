package bfs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// maxGraphs bounds the files of a folder.
const maxGraphs = 10_000

// load reads or generates the graphs.
func (b *Batch) load(ctx context.Context) ([]*Graph, error) {
	list, err := b.input(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range list {
		g.OneWay = g.OneWay && b.opt.Directed
	}
	return list, nil
}

func (b *Batch) input(ctx context.Context) (list []*Graph, err error) {
	if b.opt.Graph == "" {
		k, err := ParseKronecker(b.opt.Generate)
		if err != nil {
			return nil, err
		}
		return []*Graph{k.Graph()}, nil
	}
	files, err := graphFiles(b.opt.Graph)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		g, err := Read(ctx, f)
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

// graphFiles are the files that a path means: itself, or those of a folder in the order of their names, without folders and hidden files.
func graphFiles(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil // reading it says what is wrong
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, path, "the folder cannot be read", err, plainfile.Fix(err))
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	switch {
	case len(files) == 0:
		return nil, workload.Failure(workload.ErrInput, path, "the folder has no files", nil, "give a graph file, or a folder of graph files, to --graph")
	case len(files) > maxGraphs:
		return nil, workload.Failure(workload.ErrInput, path, fmt.Sprintf("the folder has more than %d files", maxGraphs), nil, "search fewer graphs at a time")
	}
	return files, nil
}
