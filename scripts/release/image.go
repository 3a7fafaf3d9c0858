package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is who runs the program in a container: nobody else's number.
const user = 65532

// writeImage writes the image of the linux programs: as a layout in oci/, and the same
// in one file, as docker load, podman load and skopeo read it.
func writeImage(out string, built []Platform, src source) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	n := 0
	for _, p := range built {
		if p.OS != "linux" {
			continue
		}
		img, err := imageOf(filepath.Join(out, p.file()), p, src)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.OS, Architecture: p.Arch}}})
		n++
	}
	if n == 0 {
		return nil
	}
	dir := filepath.Join(out, "oci")
	// The layout names the image by its version, and holds the index of its platforms.
	top := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{Add: index,
		Descriptor: v1.Descriptor{Annotations: map[string]string{"org.opencontainers.image.ref.name": src.Version,
			"io.containerd.image.name": "docker.io/library/lectern:" + src.Version}}})
	if _, err := layout.Write(dir, top); err != nil {
		return err
	}
	return archive(dir, filepath.Join(out, "lectern-image.tar"), src.Time)
}

func imageOf(program string, p Platform, src source) (v1.Image, error) {
	layer, err := layerOf(program, src.Time)
	if err != nil {
		return nil, err
	}
	img, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON),
		mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: v1.History{Created: v1.Time{Time: src.Time}, CreatedBy: "make release"}})
	if err != nil {
		return nil, err
	}
	file, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = p.OS, p.Arch, v1.Time{Time: src.Time}
	file.Config = v1.Config{
		User:         fmt.Sprintf("%d:%d", user, user),
		Entrypoint:   []string{"/lectern"},
		Env:          []string{"LECTERN_ADDR=0.0.0.0:8080", "LECTERN_DATA=/data", "LECTERN_OPEN=key", "HOME=/data", "PATH=/"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		WorkingDir:   "/data",
		StopSignal:   "SIGTERM",
		Labels: map[string]string{"org.opencontainers.image.title": "Lectern", "org.opencontainers.image.version": src.Version,
			"org.opencontainers.image.revision": src.Commit, "org.opencontainers.image.created": src.Time.Format(time.RFC3339)},
	}
	return mutate.ConfigFile(img, file)
}

// layerOf is the one layer: the program, the roots of certificates, and directories for
// its data and for files that pass.
func layerOf(program string, at time.Time) (v1.Layer, error) {
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	roots, err := certificates()
	if err != nil {
		return nil, err
	}
	passwd := fmt.Sprintf("root:x:0:0:root:/:/none\nlectern:x:%d:%d:lectern:/data:/none\n", user, user)
	group := fmt.Sprintf("root:x:0:\nlectern:x:%d:\n", user)
	var raw bytes.Buffer
	w := tar.NewWriter(&raw)
	for _, e := range []struct {
		name string
		mode int64
		own  int
		data []byte
	}{
		{"data/", 0o700, user, nil}, {"etc/", 0o755, 0, nil}, {"etc/group", 0o644, 0, []byte(group)}, {"etc/passwd", 0o644, 0, []byte(passwd)},
		{"etc/ssl/", 0o755, 0, nil}, {"etc/ssl/certs/", 0o755, 0, nil}, {"etc/ssl/certs/ca-certificates.crt", 0o644, 0, roots},
		{"lectern", 0o755, 0, binary}, {"tmp/", 0o1777, 0, nil},
	} {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Uid: e.own, Gid: e.own, Size: int64(len(e.data)), ModTime: at}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
}

// certificates are Mozilla's roots, as the module of this version has them.
func certificates() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file of certificates cannot say what a root is restricted to
		}
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// archive puts the files of a directory into a tar file.
func archive(dir, file string, at time.Time) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(rel), Mode: 0o644, Size: int64(len(data)), ModTime: at}); err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err == nil {
		err = w.Close()
	}
	if gone := out.Close(); err == nil {
		err = gone
	}
	return err
}
