package segindex

// Damaged returns how many parts of the index were left out because their bytes
// are damaged.
func (s *Store) Damaged() int { return int(s.damaged.Load()) }
