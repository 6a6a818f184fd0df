import type { Finding } from '../issue.ts'
import { warning } from '../issue.ts'
import { isMapping, listAt, mappingAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { connectorKeys } from '../schema/connector.ts'
import { manifestKeys } from '../schema/manifest.ts'
import { triggerKeys } from '../schema/trigger.ts'
import { nearest } from '../suggest.ts'

/** Other keys are allowed in these places, but one that is nearly a known key is most likely a slip. */
export function nearMisses(manifest: Mapping): readonly Finding[] {
  const lists = [
    ['triggers', triggerKeys],
    ['connectors', connectorKeys],
  ] as const
  let guesses = maxGuesses
  const misses = (mapping: Mapping, path: Finding['path'], known: readonly string[]) =>
    Object.keys(mapping).flatMap((key) => {
      if (known.includes(key) || guesses === 0) return []
      guesses--
      return miss(mapping, path, key, known)
    })
  return [
    ...misses(manifest, [], manifestKeys),
    ...misses(mappingAt(manifest, 'env'), ['env'], ['required', 'optional']),
    ...misses(mappingAt(manifest, 'agentrt'), ['agentrt'], ['config_dir']),
    ...misses(mappingAt(manifest, 'sandbox'), ['sandbox'], ['default', 'templates']),
    ...lists.flatMap(([list, known]) =>
      listAt(manifest, list).flatMap((entry, index) =>
        isMapping(entry) ? misses(entry, [list, index], known) : [],
      ),
    ),
  ]
}

function miss(
  mapping: Mapping,
  path: Finding['path'],
  key: string,
  known: readonly string[],
): readonly Finding[] {
  const candidates = known.filter((name) => name.length >= shortestGuessed)
  const name = nearest(key, candidates)
  if (name === undefined || Object.hasOwn(mapping, name)) return []
  return [warning([...path, key], `nothing reads this key; did you mean \`${name}\`?`)]
}

/** Keys of a file that are looked at this closely; no person slips more often. */
const maxGuesses = 100

/** Shorter names are one letter away from too many other words. */
const shortestGuessed = 5
