export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object, or an empty one where something else stands. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The list, or an empty one where something else stands. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Texts of a list that are not empty. */
export function texts(...values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))
}

/** The JSON of a text; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
