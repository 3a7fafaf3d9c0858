package office

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/program"
)

// oldFormats maps formats that only LibreOffice reads to their modern formats.
func oldFormats() map[string]string {
	return map[string]string{
		".doc": ".docx", ".dot": ".docx", ".wpd": ".docx", ".wps": ".docx", ".sxw": ".docx", ".fodt": ".docx", ".pages": ".docx",
		".xls": ".xlsx", ".xlt": ".xlsx", ".xlsb": ".xlsx", ".sxc": ".xlsx", ".fods": ".xlsx", ".numbers": ".xlsx",
		".ppt": ".pptx", ".pps": ".pptx", ".pot": ".pptx", ".sxi": ".pptx", ".fodp": ".pptx", ".key": ".pptx",
	}
}

// OldExtensions are the extensions of the formats that need a Converter,
// sorted.
func OldExtensions() []string {
	var all []string
	for ext := range oldFormats() {
		all = append(all, ext)
	}
	slices.Sort(all)
	return all
}

// OldContent reports whether content sniffed as ext may have such a format.
func OldContent(ext string) bool {
	return slices.Contains([]string{".ole", ".doc", ".xls", ".ppt", ".xml", ".zip", ".xlsx", ".bin"}, ext)
}

// Converter converts old formats to modern ones with LibreOffice, one file at a
// time, because each takes a few hundred megabytes. Safe for concurrent use.
type Converter struct {
	program *program.Program
	turn    chan struct{}
}

// NewConverter makes a converter that runs soffice.
func NewConverter(soffice *program.Program) *Converter {
	return &Converter{soffice, make(chan struct{}, 1)}
}

// settings keep LibreOffice from running macros and from fetching linked content.
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
`

// Convert returns the file in the modern format, and a name with its extension.
// A file that LibreOffice cannot open is intake.Malformed.
func (c *Converter) Convert(ctx context.Context, ext string, data []byte, limits intake.Limits) (name string, converted []byte,
	err error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	dir, err := os.MkdirTemp("", "lectern-office-")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "profile", "user")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(filepath.Join(profile, "registrymodifications.xcu"), []byte(settings), 0o600); err != nil {
		return "", nil, err
	}
	in := filepath.Join(dir, "file"+ext)
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return "", nil, err
	}
	to := oldFormats()[ext]
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Dir(profile))}
	_, err = c.program.Run(ctx, dir, "-env:UserInstallation="+address.String(), "--headless", "--norestore", "--nolockcheck", "--nodefault",
		"--convert-to", to[1:], "--outdir", filepath.Join(dir, "out"), in)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	name = "file" + to
	out := filepath.Join(dir, "out", name)
	info, statErr := os.Stat(out)
	if err != nil || statErr != nil {
		return "", nil, errors.Join(intake.Refuse(intake.Malformed, "the file could not be opened by LibreOffice"), err, statErr)
	}
	if info.Size() > limits.Bytes {
		return "", nil, intake.Refuse(intake.TooLarge, "the converted file of %d bytes is over the limit of %d", info.Size(), limits.Bytes)
	}
	converted, err = os.ReadFile(out)
	return name, converted, err
}
