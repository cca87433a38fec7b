package resident

// The locks of the package, outermost first: a goroutine that holds one may take those below it, and none twice. Each lock
// is a type of its own by its rank, so the order needs nothing at run time; builds with the tag invariants, and those with the
// race detector, check it (order_on.go).
type (
	turnRank     struct{} // tuning.turn: one change of settings at a time, until it is in force
	formRank     struct{} // forms.formMu: one change of form at a time, until it is in force
	roomRank     struct{} // publisher.roomMu
	openRank     struct{} // reads.open: for reading while buffers are read, for writing when they are freed
	mirrorRank   struct{} // slotView.mirrorMu: one request for the mirror at a time, until it is answered
	commandRank  struct{} // commander.commandMu
	breaksRank   struct{} // breakState.mu
	variantsRank struct{} // variants.mu
	leafRank     struct{} // of those that nothing is taken under: those of collector, pauseState, notes, changes, queue, reads and signal
)

func (turnRank) place() (int, string)     { return 0, "tuning.turn" }
func (formRank) place() (int, string)     { return 1, "forms.formMu" }
func (roomRank) place() (int, string)     { return 2, "publisher.roomMu" }
func (openRank) place() (int, string)     { return 3, "reads.open" }
func (mirrorRank) place() (int, string)   { return 4, "slotView.mirrorMu" }
func (commandRank) place() (int, string)  { return 5, "commander.commandMu" }
func (breaksRank) place() (int, string)   { return 6, "breakState.mu" }
func (variantsRank) place() (int, string) { return 7, "variants.mu" }
func (leafRank) place() (int, string)     { return 8, "a leaf" }

// rank is the place of a lock in the order, and its name.
type rank interface{ place() (int, string) }
