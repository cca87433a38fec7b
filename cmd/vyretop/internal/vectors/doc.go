// Package vectors owns the comparison with the published peer: its tests run every golden vector
// through the functions of this module that answer the same question.
//
// A golden file is a list of JSON lines, each an operation of the peer, its input, and its output or
// what identifies its error. The files are not part of the repository. VYRETOP_VECTORS names their
// folder, by default ../shared/vectors from the root of the project; without it the tests are skipped.
// A file or an operation that no function here answers fails the test. Where the peer is wrong and
// ours differs on purpose, the table of exceptions says so and why.
package vectors
