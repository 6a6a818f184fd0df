import { isObject } from '../catalogue/words.ts'

/** The value that a local `$ref` names; undefined for one that names nothing here, so also for an external one. */
export function valueAt(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#') || ref.length > 2_000) return undefined
  let value = document
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Object(value)[key]
  }
  return value
}

/** The object itself, or the one that a chain of `$ref` leads to. undefined where the chain has no end. */
export function resolved(document: unknown, value: unknown): Readonly<Record<string, unknown>> | undefined {
  for (let steps = 0; steps < 32; steps++) {
    if (!isObject(value)) return undefined
    const { $ref } = value
    if (typeof $ref !== 'string') return value
    value = valueAt(document, $ref)
  }
  return undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
