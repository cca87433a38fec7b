// Package scan owns the host side of the workload "scan": it searches files for many patterns at
// once with an Aho-Corasick automaton that the handler scan.glsl steps through.
//
// # One task per file
//
// A file in flight has an entry: a number, a block of granules in the text arena, and 8 words in the
// buffer "parts" that say which part of the file the block holds. A granule is 8 symbols of 16 bits;
// Automaton says what a symbol is. A file that fits its block is one part. A larger one is streamed:
// the task pauses at the end of the part, the host loads the next one into the same block and advances
// the epoch.
//
// # Matches
//
// For a symbol in which patterns end, the handler puts one record into a ring: entry, number of the
// symbol in the part, row of the automaton before it. From that and the text, which is still there, the
// host knows which patterns end and where. A task that finds the ring full pauses until the host has
// drained it and advanced the epoch.
//
// Each task counts the records it wrote, and reports the count when it ends and at the end of each
// part. The host reuses a block only when it has drained that many, so a record is never attributed
// to the wrong file or part, and a lost or doubled one cannot go unnoticed.
//
// # Result
//
// Matches are all occurrences of all patterns at all offsets. The digest is the SHA-256 of one line
// for each, `path TAB offset TAB pattern-line-number LF`, sorted by path bytes, offset and number.
package scan
