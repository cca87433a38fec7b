// Package scan owns the host side of the workload "scan": it searches files for many patterns at
// once with an Aho-Corasick automaton that the handler scan.glsl steps through.
//
// # Pieces
//
// A task is a piece of text that all lanes of a worker search together: a part of a large file, or several small files, one after
// the other. So one large file keeps all workers busy, and small files share the cost of a task. A piece in flight has an
// entry: a number, a block of granules in the text arena, and 8 words in the buffer "pieces" that say how the text stands in the
// block. A granule is 8 symbols of 16 bits; Automaton says what a symbol is. The host writes block and entry before it publishes the
// task, and neither changes until the task has ended.
//
// Of a file that is cut, the bytes before a piece precede it in its block, at least as many as the longest pattern has but for one. Matches
// that end in these are found in the piece before. Each file begins with a granule, and at least one byte that is in no pattern
// follows it: no match is in two files.
//
// # Columns
//
// The granules of a piece stand in columns, each below the last one of the column before, and each lane searches a column. Rows follow
// one another in memory, so what the lanes of a worker read at a time are neighboring words, which a GPU reads at once. There are as many
// columns as a worker has lanes (at least 8) when the piece is read. A worker that has fewer takes as many columns in an
// activation as it has lanes, yields, and continues with the next ones.
//
// A lane starts at the root of the automaton, as many granules before its column as the longest pattern takes but for a byte (the lead), and counts
// only matches that end in its column. A state of the automaton depends on no more bytes than that, so a lane finds what
// one that had searched all of the file would.
//
// # Matches
//
// For a symbol in which patterns end, the handler puts one record into a ring: entry, number of the
// symbol in the piece, row of the automaton before it. From that and the text, which is still there, the
// host knows which patterns end and where.
//
// An activation counts the matches of its lanes, adds up those of the lanes before each, and reserves places in the ring for all of
// them, or for as many as there are. Lanes then search their columns again from their first match on, and write. Where not all fit,
// the task keeps in its continuation how many are written, pauses until the host has drained the ring and advanced the epoch, and
// writes those that follow in the order of the text, which does not depend on the number of lanes.
//
// Each task counts the records it wrote, and reports the count when it ends. The host reuses a block only when it has drained that
// many, so a record is never attributed to the wrong file, and a lost or doubled one cannot go unnoticed.
//
// # Files
//
// Several goroutines, or, on two processors, one, read pieces and write them as symbols straight into their blocks; one goroutine does the rest. The last
// part of a file asks for a byte more than the file had when the folder was walked, so that it comes short: a file that has become longer is
// read on. One that has become shorter ends with the first part that came short; matches behind that are dropped.
//
// # Result
//
// Matches are all occurrences of all patterns at all offsets. The digest is the SHA-256 of one line
// for each, `path TAB offset TAB pattern-line-number LF`, sorted by path bytes, offset and number.
package scan
