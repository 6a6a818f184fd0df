/** A text somewhere in an answer of which nothing is known. */
export function textAt(body: unknown, ...path: readonly string[]): string | null {
  let value = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null
    value = Reflect.get(value, name)
  }
  return typeof value === 'string' ? value : null
}
