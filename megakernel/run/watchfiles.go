package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"vyretop/engine/fault"
	"vyretop/megakernel/workload"
)

// settled is how long the files of a workload have to stay as they are before they are read: editors write them in several steps.
const settled = 50 * time.Millisecond

// WatchHandlers reloads the run's handlers whenever a file in their folders changes, until ctx ends. What came of each reload is
// an event of the run, and is told, too. Folders are watched, not files, so that an editor may put another file in the place of one. The error is ErrReload
// where a folder cannot be watched.
func (r *steering) WatchHandlers(ctx context.Context, tell func(text string, err error)) error {
	dirs, err := r.handlerDirs()
	if err != nil {
		return err
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return unwatched(dirs[0], err)
	}
	for _, dir := range dirs {
		if err := w.Add(dir); err != nil {
			_ = w.Close() // that it cannot watch is what counts
			return unwatched(dir, err)
		}
	}
	go r.followFiles(ctx, w, tell)
	return nil
}

func unwatched(dir string, err error) error {
	return &fault.Error{Kind: ErrReload, Op: "watch", Subject: dir, Detail: "changes of its files cannot be followed", Cause: err, Fix: "leave out --watch, and use reload"}
}

// handlerDirs are the folders of the manifest and the handler files.
func (r *steering) handlerDirs() (dirs []string, err error) {
	x := &r.reloads
	if x.read == nil {
		return nil, x.noFolder(r.run.group.target.Workload)
	}
	x.turn.Lock()
	defer x.turn.Unlock()
	for _, f := range x.now.Sources {
		dirs = append(dirs, filepath.Dir(filepath.FromSlash(f.Name)))
	}
	for _, dir := range slices.Clone(dirs) { // of the manifest, whose files are below it
		for up := dir; ; up = filepath.Dir(up) {
			if _, err := os.Lstat(filepath.Join(up, workload.ManifestName)); err == nil {
				dirs = append(dirs, up)
				break
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// followFiles reloads once files have settled. A reload under way gives way to the next one.
func (r *steering) followFiles(ctx context.Context, w *fsnotify.Watcher, tell func(text string, err error)) {
	defer w.Close()
	quiet := time.NewTimer(settled)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod {
				quiet.Reset(settled)
			}
		case _, ok := <-w.Errors: // events were lost, or the watch is: the files may have changed
			if !ok {
				return
			}
			quiet.Reset(settled)
		case <-quiet.C:
			go func() {
				text, changed, err := r.Reread(ctx)
				if changed && !errors.Is(err, ErrOvertaken) && ctx.Err() == nil {
					tell(text, err)
				}
			}()
		}
	}
}
