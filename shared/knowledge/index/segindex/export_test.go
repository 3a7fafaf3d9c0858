package segindex

// Sized returns options with which logs and merges have other sizes.
func Sized(o Options, logBytes int64, memoryMergeBytes int) Options {
	o.logBytes, o.memoryMergeBytes = logBytes, memoryMergeBytes
	return o
}

// Lazy returns options with which Open verifies the current log alone.
func Lazy(o Options) Options {
	o.verifyAtOpen = -1
	return o
}

// VerifyAll verifies what Open has not, as the background does.
func (s *Store) VerifyAll() { s.verifyRest() }
