// Package screenshot turns frames of the dashboard into pictures for the documentation. A frame goes
// through a terminal emulator, and each of its cells is drawn as a terminal would: in a monospaced
// font, lines and blocks edge to edge, in the sixteen colours of a dark terminal.
package screenshot
