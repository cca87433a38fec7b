// Package fleet connects runs and screens of several machines through a NATS server, the hub: runs announce themselves and tell
// their state to screens, and other processes watch and steer them as if they were on the same machine. This comment is the
// specification of the messages.
//
// # Names
//
// A target has an ID of 16 hexadecimal digits, which it draws when it starts. Subjects contain the ID; people see names: the
// name of the run and its host, as scan@node1. Two targets of one name are told apart by the beginning of their IDs: scan@node1#3f.
//
// # State
//
// A target publishes nothing until a screen asks: every screen publishes a Watch on
//
//	vyretop.watch
//
// a few times in watchTime, and for watchTime after the last one a target publishes a targets.Status on
//
//	vyretop.status.ID
//
// with a targets.Part for each device of a run with several, of which screens make targets,
// as often as the most curious screen wants, and every restInterval while nothing but time changes. A target that ends in order says so
// in its last Status. One that is not heard of for lostAfter of its intervals is shown as lost.
//
// # Attaching
//
// A client asks for a connection with a request, and gets an openReply:
//
//	vyretop.attach.LEVEL.USER.ID
//
// LEVEL is what the client wants to be able to do at most: look, steer or administer (remote.Rights). USER is the name of the user at the
// hub, anyone at a hub without users. A hub lets users publish on the subjects of their name and levels only, so that the
// target knows both. It answers only requests whose inboxes, that of the answer and that of the connection, are of that user. What the client
// then writes goes to
//
//	vyretop.up.LEVEL.USER.ID.CONNECTION
//
// and what the target writes to an inbox of the client. Over such a connection (Conn) runs the protocol of package remote, word for
// word. Its messages are frames: one byte that says the kind, eight bytes with a position in the stream, and data.
//
//	D position data  bytes of the stream, from that position on
//	A position       all bytes before position were read; the writer may have window bytes under way
//	P position       a sign of life, with the position of the writer
//	F position       the stream ends here; the other direction stays open
//	C position       the connection is closed
//
// Frames that are lost, repeated, or exceed the window end the connection: the client connects again, as after any other loss. A
// side that hears nothing for silence ends it, too, which also frees control.
//
// # Audit
//
// A target publishes every request that could change it, with who made it and what became of it, as an Entry on
//
//	vyretop.audit.ID
//
// The hub keeps them where it keeps streams.
package fleet
