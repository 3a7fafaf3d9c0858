package embedded

// Fill is fill, for tests.
var Fill = fill
