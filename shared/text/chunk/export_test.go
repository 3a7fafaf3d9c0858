package chunk

// SplitInto is Split with other sizes, in words.
var SplitInto = split
