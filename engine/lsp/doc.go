// Package lsp serves the kernel language to editors by the Language Server Protocol
// (https://microsoft.github.io/language-server-protocol), version 3.17. One call of Serve is one session with one client.
//
// One goroutine reads messages, one serves them. A text is analyzed when something is asked of it, or when no message waits:
// then the diagnostics of the texts that changed are published, with the version of the text that they are of. So texts that
// were replaced while the server was busy are never analyzed, and what is published is never of an old text.
//
// The types of messages are those parts of the protocol that this server uses.
package lsp
