package cli

import (
	"errors"
	"math/big"
)

// integer is a flag whose value is any whole number, however large.
type integer struct{ *big.Int }

func (n integer) Type() string { return "integer" }

// String returns the number; pflag asks zero values, too.
func (n integer) String() string {
	if n.Int == nil {
		return "0"
	}
	return n.Int.String()
}

func (n integer) Set(text string) error {
	if _, ok := n.SetString(text, 10); !ok {
		return errors.New("must be a whole number")
	}
	return nil
}
