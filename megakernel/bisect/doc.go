// Package bisect owns what vyretop bisect compares: it reads the two sides, which are recordings, workloads, handler files or other
// versions of vyretop, finds the recording whose inputs both execute, or makes one, and has package replay execute them.
package bisect
