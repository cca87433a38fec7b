// Package grep owns the host side of the workload "grep": it counts the lines of files that a regular
// expression matches. The files stay where they are until tasks ask for their pages.
//
// # Lines and expressions
//
// A line is what a newline ends, or the end of the file. The expression has the syntax of Go's package regexp and is
// searched in each line by itself, so ^ and \A are its beginning, $ and \z its end. It sees bytes: a dot is
// one byte, and a character beyond ASCII is the bytes of its UTF-8 form, also inside brackets. With (?i) and
// in classes a byte of 128 or more is the letter of that number in Latin-1.
//
// # On the device
//
// Compile makes a table of 256 words a state ("table"): the row of the next state, and in the top bit
// whether the byte ends a line that matches. The last 256 words are for lanes that look for the beginning of a line. A file is cut into
// pages; a task goes through the pages of one file, with all lanes of a worker, and waits for each that the host has not read yet.
//
// # Result
//
// The digest is the SHA-256 of a line for each file that was searched to its end, sorted by the bytes of its path:
// path, tab, lines that match. It depends on files and expression only.
package grep
