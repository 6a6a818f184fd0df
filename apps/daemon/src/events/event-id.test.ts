import { sandboxIdentity } from '@svc/contract/sandbox'
import { expect, test } from 'vitest'
import { eventId } from './event-id.ts'

function isTaken(event_id: string): boolean {
  const event = { event_id, type: 'file', at: new Date().toISOString(), payload: {} }
  return sandboxIdentity.TurnStreamBody.safeParse({
    session_id: crypto.randomUUID(),
    kind: 'events',
    events: [event],
  }).success
}

test('an id that the platform takes stays as it is', () => {
  expect(eventId(`file:1:2:${'p'.repeat(100)}`)).toBe(`file:1:2:${'p'.repeat(100)}`)
})

test.each([`file:1:2:${'p'.repeat(140)}`, 'tool:1:\0:pending'])(
  '%j becomes one that the platform takes',
  (id) => {
    expect(isTaken(id)).toBe(false)
    expect(isTaken(eventId(id))).toBe(true)
    expect(eventId(id)).toBe(eventId(id))
    expect(eventId(id)).not.toBe(eventId(`${id}.`))
  },
)
