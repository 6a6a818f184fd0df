import { expect, test } from 'vitest'
import { type RuntimeClient, RuntimeRefusal, type TurnRecord } from '../runtimes/runtime.ts'
import { Turn } from './turn.ts'

const nothing: TurnRecord = { answered: false, aborted: false, error: null }
const answered: TurnRecord = { ...nothing, answered: true }
const idle = { kind: 'session', session_id: 's', state: 'idle' } as const
const unused = (): never => {
  throw new Error('not used here')
}

/** A runtime whose state the test sets by hand. */
function fakeRuntime() {
  const state = { busy: false, record: nothing, prompts: 0, aborts: 0, refuses: false, looks: 0 }
  const client: RuntimeClient = {
    openSession: unused,
    listen: unused,
    revert: unused,
    messages: unused,
    answerPermission: unused,
    answerQuestion: unused,
    healthy: unused,
    marker: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return 'm0'
    },
    busySessions: async () => {
      state.looks += 1
      return new Map(state.busy ? [['s', 'busy' as const]] : [])
    },
    turnRecord: async () => state.record,
    prompt: async () => {
      if (state.refuses) throw new RuntimeRefusal('no such session', 404)
      state.prompts += 1
      state.busy = true
    },
    abort: async () => {
      state.aborts += 1
      state.busy = false
      state.record = { ...answered, aborted: true }
    },
  }
  const turn = new Turn(client, 's', { text: 'go' })
  const looked = async (): Promise<void> => {
    const before = state.looks
    turn.onSignal(idle)
    while (state.looks === before) await new Promise((resolve) => setTimeout(resolve, 1))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const begun = async (): Promise<void> => {
    while (state.prompts === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return { state, turn, looked, begun }
}

test('idle ends a turn only when the session rests and holds an answer', async () => {
  const { state, turn, looked, begun } = fakeRuntime()
  let over = false
  const outcome = turn.run().finally(() => (over = true))
  await begun()
  await looked()
  expect(over).toBe(false)
  // A late idle of the turn before: the session does not work yet, and nothing is answered.
  state.busy = false
  await looked()
  expect(over).toBe(false)
  state.record = answered
  turn.onSignal(idle)
  expect(await outcome).toEqual({ status: 'completed' })
})

test('an error is not the end while the session works on', async () => {
  const { state, turn, begun } = fakeRuntime()
  const outcome = turn.run()
  await begun()
  turn.onSignal({ kind: 'session_error', session_id: 's', message: 'context overflow' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  state.record = answered
  state.busy = false
  turn.onSignal(idle)
  expect(await outcome).toEqual({ status: 'completed' })
})

test('an error without any idle ends the turn when the session rests', async () => {
  const { state, turn, begun } = fakeRuntime()
  const outcome = turn.run()
  await begun()
  state.busy = false
  turn.onSignal({ kind: 'session_error', session_id: 's', message: 'no such agent' })
  expect(await outcome).toEqual({ status: 'error', error: 'no such agent' })
})

test('an abort is passed on and ends the turn as aborted', async () => {
  const { state, turn, begun } = fakeRuntime()
  const outcome = turn.run()
  await begun()
  turn.abort()
  expect(await outcome).toEqual({ status: 'aborted' })
  expect(state.aborts).toBe(1)
})

test('an abort before the prompt was given keeps it from being given', async () => {
  const { state, turn } = fakeRuntime()
  turn.abort()
  expect(await turn.run()).toEqual({ status: 'aborted' })
  expect(state.prompts).toBe(0)
})

test('a prompt that the runtime refuses is an error', async () => {
  const { state, turn } = fakeRuntime()
  state.refuses = true
  expect(await turn.run()).toEqual({ status: 'error', error: 'no such session' })
})

test('an interruption ends the turn at once, whatever the runtime does', async () => {
  const { turn, begun } = fakeRuntime()
  const outcome = turn.run()
  await begun()
  turn.interrupt('it stopped')
  expect(await outcome).toEqual({ status: 'interrupted', error: 'it stopped' })
})

test('an interruption before the prompt was given keeps it from being given', async () => {
  const { state, turn } = fakeRuntime()
  const outcome = turn.run()
  turn.interrupt('it stops')
  expect(await outcome).toEqual({ status: 'interrupted', error: 'it stops' })
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(state.prompts).toBe(0)
})

test('another session’s signals say nothing', async () => {
  const { state, turn, begun } = fakeRuntime()
  const outcome = turn.run()
  await begun()
  const looks = state.looks
  turn.onSignal({ kind: 'session', session_id: 'child', state: 'idle' })
  turn.onSignal({ kind: 'session_error', session_id: 'child', message: 'x' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(state.looks).toBe(looks)
  turn.interrupt('end of test')
  await outcome
})
