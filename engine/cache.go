package engine

// ProgramCache counts what became of the calls of Compile on one backend.
type ProgramCache struct {
	MemoryHits uint64 `json:"memory_hits"` // the program was compiled already and is shared
	DiskHits   uint64 `json:"disk_hits"`   // an earlier process had compiled it
	Misses     uint64 `json:"misses"`      // it was compiled from its text
	Stored     uint64 `json:"stored"`      // compiled programs written to disk
	Dropped    uint64 `json:"dropped"`     // entries on disk that were damaged, foreign, or refused by the driver
	Evicted    uint64 `json:"evicted"`     // entries on disk that gave way to newer ones
}

// CacheReporter is implemented by backends that keep compiled programs; the counters of others are
// absent.
type CacheReporter interface {
	ProgramCache() ProgramCache
}
