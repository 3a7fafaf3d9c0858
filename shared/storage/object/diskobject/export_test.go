package diskobject

// OpenSegmented is Open with segments of another size.
func OpenSegmented(dir string, o Options, segmentBytes int64) (*Store, error) {
	return open(dir, o, segmentBytes)
}
