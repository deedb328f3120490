package formats

import (
	"errors"
	"io"

	"github.com/asp2vec/asp2vec/network"
)

func readParquet(io.ReaderAt, int64, Options, *sink, *network.Report) error {
	return errors.New("is Parquet: want text")
}
