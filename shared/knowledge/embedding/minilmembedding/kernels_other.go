//go:build !amd64

package minilmembedding

func supported() []*kernels { return []*kernels{&portable} }
