import { upstreamLimits } from '../../wire/limits.ts'
import { unreadable } from './words.ts'

/** Counts the parts of all schemas of a connector. */
export function schemaBudget() {
  let spent = 0
  return {
    /** Throws `UpstreamRefusal` where all actions together have too many parts. */
    spend: (nodes: number): void => {
      spent += nodes
      if (spent > upstreamLimits.catalogue_nodes)
        throw unreadable(
          `The schemas of all actions together have more than ${upstreamLimits.catalogue_nodes} parts: name a smaller document.`,
        )
    },
  }
}

export type SchemaBudget = ReturnType<typeof schemaBudget>
