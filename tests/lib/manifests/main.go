// Command manifests reads Kubernetes manifests and prints them as a JSON list. Each is decoded into the Go type of its kind: a field that
// the type does not have, which a server would drop or refuse, ends it with exit 1 and one line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	cnpg "github.com/cloudnative-pg/api/pkg/api/v1"
	batch "k8s.io/api/batch/v1"
	storage "k8s.io/api/storage/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	documents "k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// typeOf returns an empty object of a kind; nil for one that no manifest here is of.
func typeOf(kind meta.TypeMeta) any {
	switch kind.APIVersion + " " + kind.Kind {
	case "postgresql.cnpg.io/v1 Cluster":
		return &cnpg.Cluster{}
	case "batch/v1 Job":
		return &batch.Job{}
	case "storage.k8s.io/v1 StorageClass":
		return &storage.StorageClass{}
	}
	return nil
}

// decode returns a manifest as JSON, once it fits its type, as a server that is told to be strict would read it.
func decode(manifest []byte) (json.RawMessage, error) {
	text, err := yaml.YAMLToJSONStrict(manifest)
	if err != nil {
		return nil, err
	}
	var kind meta.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	object := typeOf(kind)
	if object == nil {
		return nil, fmt.Errorf("%s %s is not a kind that is known here", kind.APIVersion, kind.Kind)
	}
	faults, err := strict.UnmarshalStrict(text, object)
	if err := errors.Join(append(faults, err)...); err != nil {
		return nil, fmt.Errorf("%s: %w", kind.Kind, err)
	}
	return text, nil
}

func run(in io.Reader, out io.Writer) error {
	var all []json.RawMessage
	reader := documents.NewYAMLReader(bufio.NewReader(in))
	for {
		manifest, err := reader.Read()
		if errors.Is(err, io.EOF) {
			if len(all) == 0 {
				return errors.New("there is no manifest")
			}
			return json.NewEncoder(out).Encode(all)
		}
		if err != nil {
			return err
		}
		object, err := decode(manifest)
		if err != nil {
			return err
		}
		all = append(all, object)
	}
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
