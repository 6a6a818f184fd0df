import { splitModelName } from './model-name.ts'

const maxNear = 3
const maxCompared = 128
/** Share of letter pairs that two names have in common, from which on one is offered for the other. */
const leastLikeness = 0.5

/** Up to three names whose models are called most like the written one, the likest first. */
export function nearNames(written: string, known: readonly string[]): readonly string[] {
  const pairs = pairsIn(written)
  return [...new Set(known)]
    .map((name) => ({ name, likeness: likeness(pairs, pairsIn(name)) }))
    .filter((one) => one.likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, maxNear)
    .map(({ name }) => name)
}

/** Of the smaller one, since `sonnet` is near to each name that holds it. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length
  const smaller = Math.min(a.size, b.size)
  return smaller === 0 ? 0 : (shared / smaller + (2 * shared) / (a.size + b.size)) / 2
}

function pairsIn(name: string): ReadonlySet<string> {
  const id = splitModelName(name)?.id ?? name
  const plain = id
    .slice(0, maxCompared)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}
