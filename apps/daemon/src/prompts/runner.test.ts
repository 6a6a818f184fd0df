import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import type { RuntimeClient } from '../runtimes/runtime.ts'
import type { SessionStore } from './session-store.ts'
import { freshState, type SessionState } from './queue.ts'
import { type OpenRuntime, PromptRunner } from './runner.ts'

const unused = (): never => {
  throw new Error('not used here')
}

/** A runtime that is at rest, and has answered what it is given; it says so to `onPrompt`. */
function quickClient(onPrompt: () => void): RuntimeClient {
  return {
    openSession: unused,
    listen: unused,
    revert: unused,
    messages: unused,
    answerPermission: unused,
    answerQuestion: unused,
    healthy: unused,
    abort: unused,
    marker: async () => null,
    busySessions: async () => new Map(),
    prompt: async () => void setTimeout(onPrompt, 1),
    turnRecord: async () => ({ answered: true, aborted: false, error: null }),
  }
}

/** Makes a runner that tells every new state to `before` first, which may refuse it. */
function setUp(before: (next: SessionState) => void = () => undefined) {
  let state = freshState
  const store: SessionStore = {
    get state() {
      return state
    },
    update: (next) => {
      before(next)
      state = next
    },
  }
  const client = quickClient(() => runner.onSignal({ kind: 'session', session_id: 's', state: 'idle' }))
  const runtime: { open: OpenRuntime | null } = { open: { client, session_id: 's' } }
  const reported: string[] = []
  const runner = new PromptRunner({
    store,
    runtime: () => runtime.open,
    mayBegin: () => true,
    wording: async ({ text }) => text,
    onBegin: ({ prompt_id }) => reported.push(`begin ${prompt_id}`),
    onEnd: (prompt_id, { status }) => reported.push(`end ${prompt_id} ${status}`),
    log: createLog(() => undefined),
  })
  const accept = (...ids: string[]) => ids.forEach((prompt_id) => runner.accept({ prompt_id, text: 'go' }))
  return { runner, runtime, client, reported, accept, store }
}

test('a runtime that is given up in the middle of a turn leaves no prompt without an end', async () => {
  const { runner, runtime, client, reported, accept } = setUp()
  runtime.open = { client: { ...client, prompt: async () => undefined }, session_id: 's' }
  accept('a', 'b', 'c')
  await expect.poll(() => reported).toEqual(['begin a'])
  runtime.open = null
  runner.interrupt('it ended')
  await runner.giveUp('it keeps ending')
  expect(reported).toEqual(['begin a', 'end a interrupted', 'end b error', 'end c error'])
})

test('what cannot be written down for a moment stops the queue no longer than that', async () => {
  let refusals = 0
  const { reported, accept, store } = setUp((next) => {
    const refuses = next.in_flight === 'a' ? refusals < 1 : next.accepted.includes('b') && refusals < 2
    if (!refuses) return
    refusals += 1
    throw new Error('ENOSPC: no space left on device')
  })
  accept('a')
  await expect.poll(() => reported).toEqual(['begin a', 'end a completed'])
  expect(() => accept('b')).toThrow('ENOSPC')
  accept('b')
  await expect.poll(() => store.state).toMatchObject({ in_flight: null, queue: [] })
  expect(reported).toEqual(['begin a', 'end a completed', 'begin b', 'end b completed'])
})

test('a turn whose end cannot be written down has one end, and the next one begins', async () => {
  let refusals = 0
  const { reported, accept, store } = setUp((next) => {
    if (next.in_flight !== null || next.queue.length === 2 || refusals > 0) return
    if (next.queue.length === 1 && reported.includes('end a completed')) {
      refusals += 1
      throw new Error('ENOSPC: no space left on device')
    }
  })
  accept('a', 'b')
  await expect.poll(() => reported).toContain('end b completed')
  expect(reported.filter((words) => words.startsWith('end a'))).toEqual(['end a completed'])
  await expect.poll(() => store.state.in_flight).toBe(null)
})

test('a runtime that was never given a prompt is still owed the conversation so far', async () => {
  const { runner, runtime, client, reported, accept, store } = setUp()
  store.update({ ...store.state, history_owed: true })
  runtime.open = null
  accept('a')
  await runner.giveUp('it keeps ending')
  expect([reported, store.state.history_owed]).toEqual([['end a error'], true])
  runtime.open = { client: { ...client, prompt: unused }, session_id: 's' }
  accept('b')
  await expect.poll(() => reported).toContain('end b error')
  expect(store.state.history_owed).toBe(true)
  runtime.open = { client, session_id: 's' }
  accept('c')
  await expect.poll(() => store.state).toMatchObject({ in_flight: null, history_owed: false })
})
