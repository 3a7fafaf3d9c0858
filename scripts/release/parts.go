package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeParts writes what the programs are made of: the modules that each of them says
// it is built from, the packages of the page, and the weights of the embedder.
func writeParts(root, out string, built []Platform, src source) error {
	parts := map[string]cdx.Component{}
	for _, p := range built {
		info, err := buildinfo.ReadFile(filepath.Join(out, p.file()))
		if err != nil {
			return err
		}
		add(parts, cdx.Component{Type: cdx.ComponentTypePlatform, Name: "go", Version: strings.TrimPrefix(info.GoVersion, "go"),
			PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			add(parts, cdx.Component{Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: "pkg:golang/" + m.Path + "@" + m.Version})
		}
	}
	if err := addPage(parts, filepath.Join(root, "functions", "system", "workbench", "package-lock.json")); err != nil {
		return err
	}
	add(parts, cdx.Component{Type: cdx.ComponentTypeMachineLearningModel, Name: "all-MiniLM-L6-v2", Version: "2",
		PackageURL: "pkg:huggingface/sentence-transformers/all-MiniLM-L6-v2",
		Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}})
	list := make([]cdx.Component, 0, len(parts))
	for _, c := range parts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: src.Time.Format(time.RFC3339),
		Component: &cdx.Component{Type: cdx.ComponentTypeApplication, BOMRef: "lectern", Name: "lectern", Version: src.Version}}
	bom.Components = &list
	f, err := os.Create(filepath.Join(out, "lectern.cdx.json"))
	if err != nil {
		return err
	}
	if err := cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func add(parts map[string]cdx.Component, c cdx.Component) {
	c.BOMRef = c.PackageURL
	parts[c.BOMRef] = c
}

// addPage adds the npm packages of the page, without those that only build it.
func addPage(parts map[string]cdx.Component, lock string) error {
	raw, err := os.ReadFile(lock)
	if err != nil {
		return err
	}
	var file struct {
		Packages map[string]struct {
			Version       string `json:"version"`
			License       string `json:"license"`
			Dev, Optional bool
		} `json:"packages"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return err
	}
	for path, p := range file.Packages {
		at := strings.LastIndex(path, "node_modules/")
		if at < 0 || p.Dev || p.Optional {
			continue
		}
		name := path[at+len("node_modules/"):]
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version,
			PackageURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version}
		if p.License != "" {
			c.Licenses = &cdx.Licenses{{Expression: p.License}}
		}
		add(parts, c)
	}
	return nil
}
