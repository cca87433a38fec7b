package fleet

import (
	"crypto/rand"
	"encoding/hex"
	"strings"

	"vyretop/megakernel/remote"
)

// The subjects; see the package comment.
const (
	subjectWatch  = "vyretop.watch"
	subjectStatus = "vyretop.status."
	subjectAttach = "vyretop.attach."
	subjectUp     = "vyretop.up."
	subjectAudit  = "vyretop.audit."
)

// Anyone is the name of every user at a hub without users.
const Anyone = "anyone"

// newID draws a number that no other target or connection has.
func newID(bytes int) string {
	id := make([]byte, bytes)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// Token makes a name fit for one part of a subject: what has a meaning in subjects becomes an underscore.
func Token(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if clean == "" {
		return "_"
	}
	return clean[:min(len(clean), maxToken)]
}

const maxToken = 64

// attachSubject is where a user asks a target for a connection.
func attachSubject(level remote.Rights, user, id string) string {
	return subjectAttach + level.String() + "." + user + "." + id
}

// parseAttach takes an attachSubject apart.
func parseAttach(subject string) (level remote.Rights, user string, ok bool) {
	parts := strings.Split(strings.TrimPrefix(subject, subjectAttach), ".")
	if len(parts) != 3 {
		return 0, "", false
	}
	level, ok = remote.ParseRights(parts[0])
	return level, parts[1], ok && parts[1] == Token(parts[1])
}

// ownInbox reports whether a subject is in an inbox of a user. A target writes to where a client says, and the hub lets it write to more
// subjects than the client.
func ownInbox(user, subject string) bool {
	rest, ok := strings.CutPrefix(subject, InboxPrefix(user)+".")
	if !ok {
		return false
	}
	for part := range strings.SplitSeq(rest, ".") {
		if part != Token(part) {
			return false
		}
	}
	return true
}

// upSubject is where a client of a connection writes.
func upSubject(level remote.Rights, user, id, connection string) string {
	return subjectUp + level.String() + "." + user + "." + id + "." + connection
}

// Allowed are the subjects that a user may publish and subscribe to: people by their level, and runs, which also carry work, by
// being one.
func Allowed(user string, level remote.Rights, runs bool) (publish, subscribe []string) {
	publish = []string{subjectWatch, "$SYS.REQ.USER.INFO"}
	subscribe = []string{subjectStatus + ">", subjectAudit + ">", InboxPrefix(user) + ".>"}
	for l := remote.Look; l <= level; l++ {
		publish = append(publish, subjectAttach+l.String()+"."+user+".*", subjectUp+l.String()+"."+user+".>")
	}
	if level == remote.Administer || runs {
		publish = append(publish, "$JS.API.>", "$JS.ACK.>", "vyretop.work.>", "$O.>")
	}
	if runs {
		publish = append(publish, subjectStatus+">", subjectAudit+">", "_INBOX.>")
		subscribe = append(subscribe, subjectWatch, subjectAttach+">", subjectUp+">")
	}
	return publish, subscribe
}

// Denied are the subjects that no user may publish, whatever else is allowed: those that change what the hub has kept of the audit.
func Denied() []string {
	return []string{
		"$JS.API.STREAM.DELETE." + auditStream, "$JS.API.STREAM.PURGE." + auditStream, "$JS.API.STREAM.UPDATE." + auditStream, "$JS.API.STREAM.MSG.DELETE." + auditStream,
	}
}

// InboxPrefix begins the inboxes of a user, which no other user can read.
func InboxPrefix(user string) string { return "_INBOX." + user }
