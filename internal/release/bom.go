package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeBOM writes what a program was linked from, as the program itself says, in CycloneDX's JSON.
func writeBOM(path string, program []byte, s source) error {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: s.time.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			BOMRef: "asp2vec", Type: cyclonedx.ComponentTypeApplication, Name: info.Main.Path, Version: s.version,
			Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
		},
	}
	components := []cyclonedx.Component{{
		BOMRef: "go", Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion, PackageURL: "pkg:golang/std@" + info.GoVersion[2:],
	}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		ref := fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version)
		components = append(components, cyclonedx.Component{
			BOMRef: ref, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: ref,
		})
	}
	bom.Components = &components
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	encoder := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON)
	encoder.SetPretty(true)
	if err := encoder.Encode(bom); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
