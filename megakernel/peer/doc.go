// Package peer owns the buffer layouts of the published peer where they differ from ours or carry rules
// of their own, so that tools, recordings and kernels of the one fit the other: its debug log, its way
// to publish into a ring, its IO queue and its replay log. The words that both share are those of
// packages tasks and megakernel.
//
// Everything here is strict and pure: bytes that break a rule are a typed error, and nothing is
// changed then.
//
// # Buffers
//
// Words are little-endian u32. A buffer holds as many words as 32 bits can number, at most.
//
//	control     160 words and the observables, see package megakernel
//	ring        slots of 16 words, see package tasks
//	debug log   word 0: cursor, in words; from word 1 records of 4 words: format id, 3 arguments
//	io queue    at most 64 slots of 8 words, see package megakernel
//
// # Publishing
//
// A slot is published with state Ready, an opcode, a tenant, priority normal, and at most 12
// arguments. It must be empty or done. The opcode must be one of the peer's operations or a user's.
// A packed slot carries several operations of 8-bit opcodes in the arguments of one slot:
//
//	byte 0          operations
//	byte 1          argument words
//	then            per operation: opcode, index of its first argument word
//	then            zero bytes up to a whole word
//	then            the argument words
//
// The device gives an operation all argument words from its first one on. A batch is its slots, followed by a slot of
// BATCH_FENCE with the number of slots and a tag. A window is slots of one opcode, whose first two
// arguments are a ticket and the part: 0 required, 1 lookahead.
//
// # Replay log
//
// A file of a header of 32 bytes and a ring of records of 64 bytes, all little-endian:
//
//	header   0 "VRRL0001"   8 u32 version, 1    12 u32 flags   16 u64 capacity   24 u64 cursor
//	record   0 u32 0xDEADBEEF    4 u64 time (ns)    12 u32 slot   16 u32 tenant   20 u32 opcode
//	        24 4 u32 arguments  40 u32 epoch        44 zero bytes
//
// The cursor is the index of the next record to be written, so the records go from there on around. A
// record whose first word is 0 has not been written.
package peer
