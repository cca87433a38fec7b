// Package blackbox keeps the recent past of a run in memory, in a bounded number of bytes, so that it can be written as a
// recording when something has gone wrong. It sees what a recorder sees and costs no encoding until then: snapshots and blocks
// of the debug log are shared with their readers.
//
// A process that is killed with SIGKILL takes its memory along; record such a run with vyretop run --record.
package blackbox
