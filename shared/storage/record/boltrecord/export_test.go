package boltrecord

// FailFsync makes the store take its last fsync for failed.
func (s *Store) FailFsync() { s.unsynced.Store(true) }
