// Package bfs owns the host side of the workload "bfs": breadth-first levels from one source or several, and
// connected components, of a graph, which the handler bfs.glsl finds with tasks that spawn each other.
//
// # Input
//
// Read says what a graph file is; Kronecker.Generate makes a graph of the Graph500 benchmark. Edges have
// no direction unless the flag --edges says so; components never look at directions.
//
// # On the device
//
// The graph is in compressed sparse rows ("offsets", "targets") for the levels, and as a list of edges
// ("pairs") for the components. Two tasks are published: one with the first source, which searches level after
// level and search after search, and one with all edges, which joins their ends. Each gives parts of its work to tasks that it
// spawns. A level that has a large part of the arcs of an undirected graph is searched from the vertices that are not
// reached yet, which look for it. When both are through, others write the result into memory that the host sees; the last one
// says so in "status", and that is what Run waits for.
//
// # Result
//
// The level of a vertex is the number of edges on a shortest way from the source, 4294967295 if there is
// none. Its component is the lowest vertex that it is connected with. The digest is the SHA-256 of the
// levels of all vertices and then the components of all vertices, as 32-bit words, little-endian. Of several
// searches these are the levels of the last one, and a record for each search follows. So the digest depends on graph,
// source and number of searches only.
package bfs
