// Package sample has samples.
package sample

import "fmt"

// Greet greets somebody by name.
func Greet(name string) string {
	return fmt.Sprintf("Hello, %s!", name)
}
