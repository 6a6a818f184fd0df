import fc from 'fast-check'
import { expect, test } from 'vitest'
import { walkApart, type WalkLimits } from './walk-apart.ts'

interface History {
  readonly [sha: string]: { readonly parents: readonly string[]; readonly committed_at: number }
}

const unbounded = { commits: Infinity, loads: Infinity }

async function walk(history: History, base_sha: string, head_sha: string, limits: WalkLimits = unbounded) {
  const loaded = new Set<string>()
  const apart = await walkApart({
    base_sha,
    head_sha,
    known: (sha) => (loaded.has(sha) ? (history[sha] ?? null) : null),
    load: async (shas) => {
      for (const sha of shas) loaded.add(sha)
      return shas.every((sha) => sha in history)
    },
    limits,
  })
  return { apart, loaded: loaded.size }
}

/** The same by its definition. */
function byDefinition(history: History, base_sha: string, head_sha: string) {
  const ancestors = (sha: string): Set<string> => {
    const seen = new Set([sha])
    for (const each of seen) for (const parent of history[each]?.parents ?? []) seen.add(parent)
    return seen
  }
  const [base, head] = [ancestors(base_sha), ancestors(head_sha)]
  const common = [...base].filter((sha) => head.has(sha))
  return {
    base_only: [...base].filter((sha) => !head.has(sha)).length,
    head_only: [...head].filter((sha) => !base.has(sha)).length,
    merge_bases: common.filter((sha) => !common.some((other) => other !== sha && ancestors(other).has(sha))),
  }
}

/** Commits build on any earlier ones, their clocks say anything. */
const histories = fc
  .array(fc.tuple(fc.array(fc.nat({ max: 5 }), { maxLength: 3 }), fc.nat({ max: 20 })), {
    minLength: 2,
    maxLength: 24,
  })
  .map((commits): History => {
    const entries = commits.map(([back, committed_at], index) => {
      const parents = new Set(back.map((steps) => index - 1 - steps).filter((parent) => parent >= 0))
      return [`c${index}`, { parents: [...parents].map((parent) => `c${parent}`), committed_at }] as const
    })
    return Object.fromEntries(entries)
  })

test('any history, whatever its clocks say', async () => {
  const pairs = histories.chain((history) => {
    const one = fc.constantFrom(...Object.keys(history))
    return fc.tuple(fc.constant(history), one, one)
  })
  const sorted = (apart: { merge_bases: readonly string[] } | null) =>
    apart && { ...apart, merge_bases: [...apart.merge_bases].sort() }
  await fc.assert(
    fc.asyncProperty(pairs, async ([history, base, head]) => {
      fc.pre(base !== head)
      const { apart } = await walk(history, base, head)
      expect(sorted(apart)).toEqual(sorted(byDefinition(history, base, head)))
    }),
    { numRuns: 3_000 },
  )
})

const line = (length: number): History =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `c${index}`,
      { parents: index === 0 ? [] : [`c${index - 1}`], committed_at: index },
    ]),
  )

test('stops where the sides meet', async () => {
  const history = { ...line(1_000), head: { parents: ['c990'], committed_at: 2_000 } }
  const { apart, loaded } = await walk(history, 'c999', 'head')
  expect(apart).toEqual({ base_only: 9, head_only: 1, merge_bases: ['c990'] })
  expect(loaded).toBe(11)
})

test('gives up after so many commits or questions, and on a commit that nobody has', async () => {
  const history = { ...line(1_000), head: { parents: ['c0'], committed_at: 2_000 } }
  expect((await walk(history, 'c999', 'head', { commits: 100, loads: Infinity })).apart).toBe(null)
  expect((await walk(history, 'c999', 'head', { commits: Infinity, loads: 16 })).apart).toBe(null)
  expect((await walk(history, 'c999', 'gone')).apart).toBe(null)
})

test('a branch that is behind by many merges costs a look at each commit, whatever waits beside it', async () => {
  const merges = 1_000
  const history: Record<string, { parents: readonly string[]; committed_at: number }> = {
    m0: { parents: ['root'], committed_at: 1 },
    root: { parents: [], committed_at: 0 },
  }
  // Every branch began at the root, and was merged long after.
  for (let n = 1; n <= merges; n += 1) {
    history[`b${n}`] = { parents: ['root'], committed_at: 2 }
    history[`m${n}`] = { parents: [`m${n - 1}`, `b${n}`], committed_at: 2 + n }
  }
  history['head'] = { parents: ['root'], committed_at: 3 }
  let looks = 0
  const apart = await walkApart({
    base_sha: `m${merges}`,
    head_sha: 'head',
    known: (sha) => {
      looks += 1
      return history[sha] ?? null
    },
    load: async () => false,
    limits: unbounded,
  })
  expect(apart).toEqual({ base_only: 2 * merges + 1, head_only: 1, merge_bases: ['root'] })
  expect(looks).toBeLessThan(3 * Object.keys(history).length)
})
