// Renders the chart as `helm template` does, with the same template engine and functions, where there is no Helm:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run infra/helm/render/main.go <chart> <values.yaml> <namespace> <apiVersion>...
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type values = map[string]interface{}

type versions []string

// Has says whether the cluster knows a version of an API.
func (known versions) Has(name string) bool {
	for _, one := range known {
		if one == name {
			return true
		}
	}
	return false
}

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: main.go <chart> <values.yaml> <namespace> <apiVersion>..."))
	}
	folder := os.Args[1]
	chart := read(filepath.Join(folder, "Chart.yaml"))
	data := values{
		"Values":       merged(read(filepath.Join(folder, "values.yaml")), read(os.Args[2])),
		"Chart":        values{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
		"Release":      values{"Name": "svc", "Namespace": os.Args[3], "Service": "Helm"},
		"Capabilities": values{"APIVersions": versions(os.Args[4:])},
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	fail(err)
	sort.Strings(files)
	all := parse(files)
	for _, file := range files {
		if strings.HasSuffix(file, ".tpl") {
			continue
		}
		var out bytes.Buffer
		fail(all.ExecuteTemplate(&out, filepath.Base(file), data))
		if strings.TrimSpace(out.String()) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", filepath.Base(file), out.String())
		}
	}
}

func parse(files []string) *template.Template {
	// A value that is not there is an empty one, as Helm has it.
	all := template.New("svc").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) string {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		fail(encoder.Encode(value))
		return strings.TrimSuffix(out.String(), "\n")
	}
	all.Funcs(functions)
	for _, file := range files {
		text, err := os.ReadFile(file)
		fail(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		fail(err)
	}
	return all
}

// By way of JSON, so that numbers are what Helm makes of them.
func read(file string) values {
	text, err := os.ReadFile(file)
	fail(err)
	var found, plain values
	fail(yaml.Unmarshal(text, &found))
	written, err := json.Marshal(found)
	fail(err)
	fail(json.Unmarshal(written, &plain))
	return plain
}

func merged(below, above values) values {
	for key, value := range above {
		lower, isMap := below[key].(values)
		upper, areMaps := value.(values)
		if isMap && areMaps {
			below[key] = merged(lower, upper)
		} else {
			below[key] = value
		}
	}
	return below
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
