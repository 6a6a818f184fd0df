/** Careful looks into data whose shape is not known to be right. */

export type Mapping = Readonly<Record<string, unknown>>

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mappingAt(value: unknown, key: string): Mapping {
  const found = isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isMapping(found) ? found : {}
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(found) ? found : []
}

/** The text under the first of these keys that holds one. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  if (!isMapping(value)) return undefined
  for (const key of keys) {
    const found = Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof found === 'string') return found
  }
  return undefined
}

export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value
  for (const part of path) {
    if (Array.isArray(found)) found = typeof part === 'number' ? found[part] : undefined
    else if (isMapping(found)) found = Object.hasOwn(found, part) ? found[String(part)] : undefined
    else return undefined
  }
  return found
}

/** The name of a kind of value in a message to a person. */
export function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'true or false'
    default:
      return 'a mapping'
  }
}
