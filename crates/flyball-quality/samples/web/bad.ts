export function same(one: unknown, other: unknown): boolean {
    debugger
    const count: number = "three"
    return one == other
}
