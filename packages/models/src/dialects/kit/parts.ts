import { isObject, type JsonObject, textOf } from './json.ts'

/** A part of a prompt, and its place as messages name it: `messages.3.content.0`. */
export interface PlacedPart {
  readonly path: string
  readonly part: JsonObject
}

/** Deeper than any dialect goes. */
const maxDepth = 6

/** Every object among the parts of a prompt, those within results of tools included. */
export function* partsIn(value: unknown, path: string, depth = 0): Generator<PlacedPart> {
  if (depth > maxDepth) return
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* partsIn(item, `${path}.${at}`, depth)
    return
  }
  if (!isObject(value)) return
  yield { path, part: value }
  for (const field of ['content', 'output', 'source'])
    yield* partsIn(value[field], `${path}.${field}`, depth + 1)
}

/** Media of a prompt by how far the body says their size, and what no field bounds. */
export interface Media {
  inline_images: number
  unsized_media: number
  readonly unbounded: string[]
}

export function isInline(url: unknown): boolean {
  return textOf(url)?.startsWith('data:') ?? false
}
