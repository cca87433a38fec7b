// Package targets owns what is said of a target beside many others: its Status, which targets tell screens of a fleet about once a
// second, and the table of them: columns, filter, order, groups. Figures come from package stats. What goes over the network is
// checked by Status.Valid; texts of it reach terminals through package safe, as everything does.
package targets
