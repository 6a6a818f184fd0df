import { upstreamLimits } from '../../wire/limits.ts'
import { unreadable } from './words.ts'

/** Counts the parts and letters of all schemas of a connector. */
export function schemaBudget() {
  const { catalogue_nodes, catalogue_characters } = upstreamLimits
  const spent = { nodes: 0, characters: 0 }
  return {
    /** Throws `UpstreamRefusal` where all actions together have too many parts, or too long texts. */
    spend: (nodes: number, characters = 0): void => {
      spent.nodes += nodes
      spent.characters += characters
      if (spent.nodes > catalogue_nodes)
        throw unreadable(
          `The schemas of all actions together have more than ${catalogue_nodes} parts: name a smaller document.`,
        )
      if (spent.characters > catalogue_characters)
        throw unreadable(
          `The schemas of all actions together are longer than ${catalogue_characters / 1024 / 1024} MiB: name a smaller document.`,
        )
    },
  }
}

export type SchemaBudget = ReturnType<typeof schemaBudget>

const sizes = new WeakMap<object, number>()

/** The number of keys of an object, counted once however many actions share it. */
export function sizeOf(object: object): number {
  const known = sizes.get(object)
  if (known !== undefined) return known
  const size = Array.isArray(object) ? object.length : Object.keys(object).length
  sizes.set(object, size)
  return size
}
