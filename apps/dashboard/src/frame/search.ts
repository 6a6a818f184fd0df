/** The texts of these names in the query of an address; what is not text is left out. */
export function textsOf<K extends string>(search: Readonly<Record<string, unknown>>, ...names: readonly K[]) {
  const found: { [name in K]?: string | undefined } = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
    // The router reads `q=12` as a number.
    else if (typeof value === 'number') found[name] = String(value)
  }
  return found
}

/** One of the values, or nothing. */
export function oneOf<V extends string>(values: readonly V[], value: unknown): V | undefined {
  return values.find((known) => known === value)
}
