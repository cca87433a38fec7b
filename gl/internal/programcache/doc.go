// Package programcache owns the programs that a driver has linked, kept as files, so that a later
// process need not compile them again.
//
// # Directory
//
// An entry is one file, named by its key in 64 lower-case hexadecimal digits and ".prog". A file that
// is being written has a name that begins with ".new-"; renaming it makes the entry, so a reader sees
// a whole entry or none, whatever other processes do. The modification time of an entry is when it was
// last used: when the entries, in blocks of 4 KiB, exceed the limit, those used longest ago are removed
// until a quarter of the limit is free. A process looks at its first entry and then whenever it has written
// a quarter of what it found free, so several processes together may exceed the limit for a while. A file
// that was left half written is removed after an hour. Files with other names are never touched.
//
// # Entry, version 1
//
// Integers are little-endian.
//
//	offset  bytes  content
//	0       8      "VYRPROG" and the version as one byte, 0x01
//	8       32     the key
//	40      4      the driver's number for the format of the program, as glGetProgramBinary gave it
//	44      4      n, the length of the log
//	48      4      m, the length of the program
//	52      n      what the driver said when it compiled the text
//	52+n    m      the program
//	52+n+m  32     SHA-256 of everything before
//
// The key is the SHA-256 of the parts that decide what the driver makes of a text, each preceded by
// its length in 8 bytes. An entry that is not exactly this is removed and counts as absent: a damaged
// one, one of another version, one that lies under another key's name. The checksum finds damage, it
// does not authenticate: the directory is created for its user alone.
package programcache
