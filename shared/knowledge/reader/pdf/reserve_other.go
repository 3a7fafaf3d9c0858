//go:build !unix || aix || solaris

package pdf

func reserve(int) []byte { return nil }

func unreserve([]byte) {}
