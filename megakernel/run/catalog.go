package run

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/bfs"
	"vyretop/megakernel/workload/grep"
	"vyretop/megakernel/workload/infer"
	"vyretop/megakernel/workload/render"
	"vyretop/megakernel/workload/scan"
)

// drivers make a workload of a manifest whose "driver" names them.
var drivers = map[string]func(*workload.Manifest) workload.Definition{
	"":              func(m *workload.Manifest) workload.Definition { return workload.Generic{Manifest: m} },
	scan.Driver:     func(m *workload.Manifest) workload.Definition { return scan.Definition{Manifest: m} },
	bfs.Driver:      func(m *workload.Manifest) workload.Definition { return bfs.Definition{Manifest: m} },
	bfs.BatchDriver: func(m *workload.Manifest) workload.Definition { return bfs.BatchDefinition{Manifest: m} },
	grep.Driver:     func(m *workload.Manifest) workload.Definition { return grep.Definition{Manifest: m} },
	infer.Driver:    func(m *workload.Manifest) workload.Definition { return infer.Definition{Manifest: m} },
	render.Driver:   func(m *workload.Manifest) workload.Definition { return render.Definition{Manifest: m} },
}

// reservedDir begins the names of the kernel's own files; handler files must have other names.
const reservedDir = "vyretop/"

// Workloads lists the names of the shipped workloads, sorted.
func Workloads() []string {
	found, err := fs.Glob(workload.Shipped, "*/"+workload.ManifestName)
	if err != nil {
		panic("BUG: " + err.Error()) // only a malformed pattern is an error
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = path.Dir(f)
	}
	return names
}

// OpenWorkload finds a workload: a shipped one by its name, otherwise the folder nameOrDir. A name with a
// path separator, "." and ".." is always a folder. What is neither is an ErrNotFound; what is wrong in
// a manifest, an ErrManifest.
func OpenWorkload(nameOrDir string) (workload.Definition, error) {
	return define(openManifest(nameOrDir))
}

// HandlersOf reads the handlers of a workload of the user's own again whenever it is called, by the rules of OpenWorkload; nil for a
// shipped one, which has no folder.
func HandlersOf(nameOrDir string) func() (*workload.Setup, error) {
	if isShipped(nameOrDir) {
		return nil
	}
	return func() (*workload.Setup, error) {
		m, err := openManifest(nameOrDir)
		if err != nil {
			return nil, err
		}
		return m.Handlers()
	}
}

// isShipped reports whether a name is that of a shipped workload.
func isShipped(name string) bool {
	if isPath(name) {
		return false
	}
	info, err := fs.Stat(workload.Shipped, name)
	return err == nil && info.IsDir()
}

func openManifest(nameOrDir string) (*workload.Manifest, error) {
	if isShipped(nameOrDir) {
		return workload.Load(workload.Shipped, nameOrDir)
	}
	info, err := os.Stat(nameOrDir)
	if err != nil || !info.IsDir() {
		return nil, workload.Failure(workload.ErrNotFound, nameOrDir, "it is neither a shipped workload nor a folder", err, fault.Use(nameOrDir, Workloads())+", or a folder with a "+workload.ManifestName)
	}
	dir := filepath.Clean(nameOrDir)
	if strings.HasPrefix(filepath.ToSlash(dir), reservedDir) {
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, workload.Failure(workload.ErrNotFound, nameOrDir, "its absolute path is unknown", err, "give an absolute path")
		}
	}
	return workload.LoadNamed(plainfile.Dir(dir), ".", filepath.ToSlash(dir))
}

func isPath(s string) bool {
	return s == "" || s == "." || s == ".." || strings.ContainsRune(s, '/') || strings.ContainsRune(s, filepath.Separator)
}

func define(m *workload.Manifest, err error) (workload.Definition, error) {
	if err != nil {
		return nil, err
	}
	make, ok := drivers[m.Driver]
	if !ok {
		return nil, workload.Invalid(workload.ErrValue, m.File(), "unknown driver "+m.Driver, nil, "remove driver, or write one of "+strings.Join(slices.Sorted(maps.Keys(drivers))[1:], ", "))
	}
	return make(m), nil
}
