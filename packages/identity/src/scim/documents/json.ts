export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects as they are in a list; whatever else stands there is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A copy that shares nothing with the original. */
export function copyOf(value: JsonObject): JsonObject {
  return structuredClone(value)
}

/** True when two pieces of JSON say the same, in whatever order their keys stand. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => sameJson(value, b[index]))
  if (!isObject(a) || !isObject(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]))
}
