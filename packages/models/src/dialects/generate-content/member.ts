import type { JsonObject } from '../kit/json.ts'

/** A member by its name, which Google's API takes in both casings. */
export function member(value: JsonObject, name: string): unknown {
  return value[name] ?? value[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}
