import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type DefaultAction, isHidden, type Policy, type Rules } from './decide.ts'
import { glob } from './glob.ts'
import { actionStates, decisions, type JsonObject, risks } from './shapes.ts'

const rules = (policies: readonly Policy[] = [], default_action: DefaultAction = 'risk'): Rules => ({
  slug: 'mail',
  policies,
  default_action,
})
const send = { action: 'send', risk: 'write', state: 'active' } as const

describe('without a rule that matches', () => {
  test.each([
    ['risk', 'read', 'always_run'],
    ['risk', 'write', 'require_approval'],
    ['risk', 'destructive', 'require_approval'],
    ['always_run', 'destructive', 'always_run'],
    ['require_approval', 'read', 'require_approval'],
    ['block', 'read', 'block'],
  ] as const)('default_action %s on %s: %s', (default_action, risk, decision) => {
    const made = decide({ connector: rules([], default_action), action: { ...send, risk }, args: {} })
    expect(made).toEqual({
      decision,
      risk,
      rule: { source: 'default', index: null, match: null },
      hidden: decision === 'block',
      steps: [],
    })
  })
})

test('the first rule that matches wins, and the steps say why the others did not', () => {
  const policies: readonly Policy[] = [
    { match: 'delete*', action: 'block' },
    { match: 'mail.send', action: 'always_run', when: [{ path: 'to', matches: '*@example.test' }] },
    { match: 'send', action: 'block', when: [{ path: 'to', exists: true }] },
    { match: '*', action: 'always_run' },
  ]
  const made = decide({ connector: rules(policies), action: send, args: { to: 'x@other.test' } })
  expect(made).toEqual({
    decision: 'block',
    risk: 'write',
    rule: { source: 'policy', index: 2, match: 'send' },
    hidden: false,
    steps: [
      { index: 0, match: 'delete*', matched: false, why: 'the name does not match' },
      { index: 1, match: 'mail.send', matched: false, why: 'does not hold: to matches *@example.test' },
      { index: 2, match: 'send', matched: true, why: 'the name matches, and to exists' },
    ],
  })
})

test.each([
  ['always_run', 'require_approval', 'changed'],
  ['require_approval', 'require_approval', 'policy'],
  ['block', 'block', 'policy'],
] as const)('of a changed action, %s becomes %s', (action, decision, source) => {
  const connector = rules([{ match: 'send', action }])
  const made = decide({ connector, action: { ...send, state: 'changed' }, args: {} })
  expect([made.decision, made.rule]).toEqual([decision, { source, index: 0, match: 'send' }])
})

test('a read that changed asks, even where nothing but the default speaks of it', () => {
  const action = { action: 'get', risk: 'read', state: 'changed' } as const
  const made = decide({ connector: rules(), action, args: {} })
  expect(made.decision).toBe('require_approval')
  expect(made.rule).toEqual({ source: 'changed', index: null, match: null })
})

const scalar = fc.constantFrom(1, 2, 'x', 'xy', null, true)
const path = fc.constantFrom('a', 'b', 'a.b', 'list[]', 'list[].a')
const clause = fc.oneof(
  fc.record({ path, equals: scalar }),
  fc.record({ path, in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ path, matches: fc.constantFrom('*', 'x', 'x?', 'z*') }),
  fc.record({ path, exists: fc.boolean() }),
)
const policy = fc.record(
  {
    match: fc.constantFrom('*', 'send', 'mail.*', 'mail.send', 'se?d', 'get*', 'docs.*', 'Send'),
    action: fc.constantFrom(...decisions),
    when: fc.array(clause, { maxLength: 2 }),
  },
  { requiredKeys: ['match', 'action'] },
)
const connector = fc.record({
  slug: fc.constantFrom('mail', 'docs'),
  policies: fc.array(policy, { maxLength: 6 }),
  default_action: fc.constantFrom('risk' as const, ...decisions),
})
const action = fc.record({
  action: fc.constantFrom('send', 'get_mail', 'delete'),
  risk: fc.constantFrom(...risks),
  state: fc.constantFrom(...actionStates),
})
const args: fc.Arbitrary<JsonObject> = fc.record(
  {
    a: fc.oneof(scalar, fc.record({ b: scalar })),
    b: scalar,
    list: fc.array(fc.oneof(scalar, fc.record({ a: scalar })), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)

/** The same rules written as plainly as they can be. */
function naive({ slug, policies, default_action }: Rules, one: typeof send, given: JsonObject): string {
  const at = (place: string): unknown[] => {
    const object = (value: unknown) =>
      (typeof value === 'object' && value !== null ? value : {}) as JsonObject
    const pick = (value: unknown, key: string) =>
      !Array.isArray(value) && Object.hasOwn(object(value), key) ? [object(value)[key]] : []
    const list = pick(given, 'list').flatMap((value) => value as unknown[])
    const places: Record<string, () => unknown[]> = {
      a: () => pick(given, 'a'),
      b: () => pick(given, 'b'),
      'a.b': () => pick(given, 'a').flatMap((value) => pick(value, 'b')),
      'list[]': () => list,
      'list[].a': () => list.flatMap((value) => pick(value, 'a')),
    }
    return places[place]?.() ?? []
  }
  for (const { match, action: decision, when = [] } of policies) {
    const named = [one.action, `${slug}.${one.action}`].some((name) => glob(match)(name))
    const every = when.every((asked) => {
      const found = at(asked.path)
      if ('exists' in asked) return found.length > 0 === asked.exists
      if ('equals' in asked) return found.some((value) => value === asked.equals)
      if ('in' in asked) return found.some((value) => asked.in.some((wanted) => wanted === value))
      return found.some((value) => typeof value === 'string' && glob(asked.matches)(value))
    })
    if (!named || !every) continue
    return decision === 'always_run' && one.state !== 'active' ? asking(one.state, decision) : decision
  }
  const fallback =
    default_action !== 'risk'
      ? default_action
      : (one.risk as string) === 'read'
        ? 'always_run'
        : 'require_approval'
  return asking(one.state, fallback)
}

function asking(state: string, decision: string): string {
  return state === 'changed' && decision === 'always_run' ? 'require_approval' : decision
}

test('it decides as the plain model does, and only ever more strictly for what changed', () => {
  fc.assert(
    fc.property(connector, action, args, (one, act, given) => {
      const made = decide({ connector: one, action: act, args: given })
      expect(made.decision).toBe(naive(one, act as typeof send, given))
      expect(made.steps.filter(({ matched }) => matched).map(({ index }) => index)).toEqual(
        made.rule.index === null ? [] : [made.rule.index],
      )
    }),
    { numRuns: 3000 },
  )
})

test('what is hidden is blocked, whatever the arguments', () => {
  fc.assert(
    fc.property(connector, action, args, (one, act, given) => {
      if (isHidden(one, act))
        expect(decide({ connector: one, action: act, args: given }).decision).toBe('block')
    }),
    { numRuns: 3000 },
  )
})

test('what no clause speaks of is hidden exactly when it is blocked', () => {
  const plain = connector.map((one) => ({
    ...one,
    policies: one.policies.map(({ match, action: decision }) => ({ match, action: decision })),
  }))
  fc.assert(
    fc.property(plain, action, args, (one, act, given) => {
      const { decision, hidden } = decide({ connector: one, action: act, args: given })
      expect(hidden).toBe(decision === 'block')
    }),
  )
})
