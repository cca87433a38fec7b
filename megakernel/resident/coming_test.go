package resident

// Coming is how many breakpoints wait for their turn to be set.
func (bs *breakpoints) Coming() int {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	return len(bs.breaks.coming)
}
