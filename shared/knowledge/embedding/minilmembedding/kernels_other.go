//go:build !amd64 && !arm64

package minilmembedding

func supported() []*kernels { return []*kernels{&portable} }
