import { getEventListeners } from 'node:events'
import type { CallToAdmit } from '@svc/spend'
import { expect, test } from 'vitest'
import type { Meter } from './meter.ts'
import { MeteredCall } from './metered-call.ts'

const nothing = () => undefined
const meter: Meter = {
  admit: () => Promise.reject(new Error('it is admitted')),
  admitKnown: () => Promise.reject(new Error('it is admitted')),
  settle: () => Promise.resolve({ outcome: 'unknown' }),
  beats: () => ({ add: nothing, remove: nothing, close: () => Promise.resolve() }),
  close: () => Promise.resolve(),
}
const asked: CallToAdmit = {
  ...{ call_id: 'c', account_id: 'a', project_id: 'p', token_id: 't', request_id: null, attempts: [] },
  ...{ session_id: null, prompt_id: null, trigger_slug: null, agent_name: null, model_asked: null },
  ...{ model: 'acme/m1', provider: 'acme', streamed: true, bounds: null, input_estimate: 1 },
  ...{ unbounded: null, countInput: null },
  dialect: 'chat',
  provider_scope: 'project',
}
const measure = { held: nothing, asked: nothing, firstByte: nothing, end: nothing, charged: nothing }
const call = () => new MeteredCall(meter, asked, { granted_micros: 0, bounded: false, asked_ms: 0 }, measure)

test('a call ends with its caller and with its gateway', () => {
  for (const at of [0, 1]) {
    const ends = [new AbortController(), new AbortController()]
    const running = call()
    running.endsWith(ends.map(({ signal }) => signal))
    ends[at]?.abort('left')
    expect(running.end.signal.reason).toBe('left')
  }
  const late = call()
  late.endsWith([AbortSignal.abort('gone')])
  expect(late.end.signal.reason).toBe('gone')
})

test('a call that is settled leaves nothing with its gateway', async () => {
  const gateway = new AbortController()
  const running = call()
  running.endsWith([gateway.signal])
  expect(getEventListeners(gateway.signal, 'abort')).toHaveLength(1)
  await running.settle({ event: 'fail', http_status: 502, usage: null })
  expect(getEventListeners(gateway.signal, 'abort')).toHaveLength(0)
})
