package engine

import "context"

// ProgramCache counts what became of the calls of Compile on one backend.
type ProgramCache struct {
	MemoryHits uint64 `json:"memory_hits"` // the program was compiled already and is shared
	DiskHits   uint64 `json:"disk_hits"`   // an earlier process had compiled it
	Misses     uint64 `json:"misses"`      // it was compiled from its text
	Stored     uint64 `json:"stored"`      // compiled programs written to disk
	Dropped    uint64 `json:"dropped"`     // entries on disk that were damaged, foreign, or refused by the driver
	Evicted    uint64 `json:"evicted"`     // entries on disk that gave way to newer ones
}

// ApartCompiler is implemented by backends that can have a process of its own compile a program and store it: a crash of the driver's
// compiler ends only that process, and what it compiles is stored also when this one gives up or ends.
type ApartCompiler interface {
	// CompileApart returns when Compile of p only has to load it, at once if that is so already. When ctx ends first, the other
	// process continues. Errors: ErrUnsupportedFeature where there is no such process or programs are not stored,
	// ErrKernelCompileFailed where it failed.
	CompileApart(ctx context.Context, p *Program) error
}

// CacheReporter is implemented by backends that keep compiled programs; the counters of others are
// absent.
type CacheReporter interface {
	ProgramCache() ProgramCache
}
