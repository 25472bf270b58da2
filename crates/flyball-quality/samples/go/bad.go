package sample

import "fmt"

// Count counts.
func Count(name string) string {
    return fmt.Sprintf("%d", name)
}
