import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOf } from '../../agent-files/permissions.ts'
import { RuntimeRefusal, type RuntimeSignal } from '../../runtime.ts'
import { createAsks } from './asks.ts'

const options = {
  all: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'ever', name: 'Always', kind: 'allow_always' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
  // Some offer no way to grant for good, and none to refuse.
  few: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
}

const commands = ['free one', 'asked one', 'asked two', 'denied one'] as const
const replies = ['once', 'always', 'reject', { option_id: 'no' }, { option_id: 'none' }] as const

const step = fc.oneof(
  fc.record({
    do: fc.constant('ask' as const),
    command: fc.constantFrom(...commands),
    options: fc.constantFrom('all', 'few'),
    // More at once than stand before people.
    count: fc.constantFrom(1, 1, 3, 40),
  }),
  fc.record({ do: fc.constant('form' as const) }),
  fc.record({ do: fc.constant('reply' as const), at: fc.nat(), reply: fc.constantFrom(...replies) }),
  fc.record({
    do: fc.constant('answer' as const),
    at: fc.nat(),
    word: fc.constantFrom('A', 'B', 'no', null),
  }),
  fc.record({ do: fc.constant('cancel' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

interface Asked {
  readonly kind: 'permission' | 'question'
  readonly command: string
  readonly offers: 'all' | 'few'
  /** Each answer that the agent had. */
  readonly had: unknown[]
  /** Null while it waits. */
  due: unknown
}

const form = {
  mode: 'form' as const,
  message: 'Which?',
  requestedSchema: { properties: { which: { type: 'string', enum: ['A', 'B'] } } },
}
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } })
const cancelled = { outcome: { outcome: 'cancelled' } }

function world() {
  const signals: RuntimeSignal[] = []
  const rules = rulesOf({ bash: { '*': 'allow', 'asked *': 'ask', 'denied *': 'deny' } })
  const asks = createAsks({
    ...{ workspace: '/workspace', epoch: 7, now: Date.now, rules: () => rules, kindOf: () => 'execute' },
    emit: (signal) => signals.push(signal),
  })
  const all: Asked[] = []
  const granted = new Set<string>()
  const waiting = () => all.filter(({ due }) => due === null)
  /** The ids under which they stand before people, in the order in which they were shown. */
  const shown = () => signals.flatMap((signal) => (signal.kind === 'asked' ? [signal.ask] : []))
  /** Those that wait, as people see them: the oldest of them, and no more than 64. */
  const inView = () => {
    const answered = new Set(signals.flatMap((one) => (one.kind === 'answered' ? [one.request_id] : [])))
    const ended = new Set(ends)
    return shown().filter(({ request_id }) => !answered.has(request_id) && !ended.has(request_id))
  }
  const ends: string[] = []

  function add(asked: Omit<Asked, 'had'>, answer: Promise<unknown>): void {
    const one = { ...asked, had: [] as unknown[] }
    all.push(one)
    void answer.then((had) => one.had.push(had))
  }

  function ask({ command, options: offers }: { command: string; options: 'all' | 'few' }): void {
    const is = (word: string) => command.startsWith(word)
    const due =
      is('free') || granted.has(command)
        ? selected('yes')
        : is('denied')
          ? offers === 'all'
            ? selected('no')
            : cancelled
          : null
    add(
      { kind: 'permission', command, offers, due },
      asks.permission({
        sessionId: 's',
        toolCall: { toolCallId: `call ${all.length}`, rawInput: { command } },
        options: options[offers],
      }),
    )
  }

  function refusal(work: () => void): number | null {
    try {
      work()
      return null
    } catch (error) {
      if (error instanceof RuntimeRefusal) return error.status
      throw error
    }
  }

  /** The one that people see at a place, with the model of it: they stand in the same order. */
  function pick(at: number) {
    const seen = inView()
    const index = seen.length === 0 ? -1 : at % seen.length
    return { request_id: seen[index]?.request_id ?? '7-per-none', one: waiting()[index] }
  }

  return { asks, signals, all, granted, waiting, shown, inView, ends, add, ask, refusal, pick }
}

function take(state: ReturnType<typeof world>, one: Step): void {
  const { asks, granted, refusal } = state
  if (one.do === 'ask') for (let n = 0; n < one.count; n += 1) state.ask(one)
  if (one.do === 'form')
    state.add({ kind: 'question', command: '', offers: 'all', due: null }, asks.form(form))
  if (one.do === 'cancel') {
    state.ends.push(...state.inView().map(({ request_id }) => request_id))
    for (const asked of state.waiting())
      asked.due = asked.kind === 'question' ? { action: 'cancel' } : cancelled
    asks.cancelAll()
  }
  if (one.do === 'reply') {
    const { request_id, one: asked } = state.pick(one.at)
    const status = refusal(() => asks.answerPermission(request_id, one.reply, undefined))
    if (asked?.kind !== 'permission') return expect(status).toBe(409)
    const isOffered =
      typeof one.reply === 'string' ||
      options[asked.offers].some(({ optionId }) => optionId === Object(one.reply).option_id)
    if (!isOffered) return expect(status).toBe(400)
    expect(status).toBe(null)
    const has = asked.offers === 'all'
    if (one.reply === 'once') asked.due = selected('yes')
    else if (one.reply === 'always') {
      granted.add(asked.command)
      asked.due = selected(has ? 'ever' : 'yes')
    } else asked.due = has ? selected('no') : cancelled
  }
  if (one.do === 'answer') {
    const { request_id, one: asked } = state.pick(one.at)
    const answers = one.word === null ? null : [[one.word]]
    const status = refusal(() => asks.answerQuestion(request_id, answers))
    if (asked?.kind !== 'question') return expect(status).toBe(409)
    if (one.word === 'no') return expect(status).toBe(400)
    expect(status).toBe(null)
    asked.due = one.word === null ? { action: 'decline' } : { action: 'accept', content: { which: one.word } }
  }
}

test('in any order of asks, answers and cancels each request is answered once, and no event comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const state = world()
      for (const one of steps) {
        take(state, one)
        await new Promise((resolve) => setImmediate(resolve))
        expect(state.all.map(({ had }) => had)).toEqual(
          state.all.map(({ due }) => (due === null ? [] : [due])),
        )
        expect(state.asks.open).toBe(state.waiting().length)
        expect(state.inView()).toHaveLength(Math.min(64, state.waiting().length))
      }
      const ids = state.signals.flatMap((signal) => (signal.kind === 'event' ? [signal.event.event_id] : []))
      expect(new Set(ids).size).toBe(ids.length)
      const shown = state.shown().map(({ request_id }) => request_id)
      expect(new Set(shown).size).toBe(shown.length)
    }),
    { numRuns: 200 },
  )
})
