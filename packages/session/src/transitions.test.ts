import { describe, expect, test } from 'vitest'
import {
  sandboxEvents,
  sandboxStatusAfter,
  sandboxStatuses,
  sandboxStatusesAccepting,
} from './sandbox-transitions.ts'
import {
  sessionEvents,
  sessionStatusAfter,
  sessionStatuses,
  sessionStatusesAccepting,
} from './transitions.ts'

const accepted = [
  ['provisioning', 'ready', 'running'],
  ['provisioning', 'stop', 'stopped'],
  ['provisioning', 'fail', 'failed'],
  ['provisioning', 'restart', 'provisioning'],
  ['running', 'stop', 'stopped'],
  ['running', 'exit', 'stopped'],
  ['running', 'fail', 'failed'],
  ['running', 'restart', 'provisioning'],
  ['stopped', 'start', 'provisioning'],
  ['stopped', 'restart', 'provisioning'],
  ['stopped', 'fail', 'failed'],
  ['failed', 'start', 'provisioning'],
  ['failed', 'restart', 'provisioning'],
] as const

describe('session transitions', () => {
  test.each(accepted)('%s + %s = %s', (from, event, to) => {
    expect(sessionStatusAfter(from, event)).toBe(to)
  })

  const refused = sessionStatuses.flatMap((status) =>
    sessionEvents
      .filter((event) => !accepted.some(([from, name]) => from === status && name === event))
      .map((event) => [status, event] as const),
  )
  test.each(refused)('%s refuses %s', (from, event) => {
    expect(() => sessionStatusAfter(from, event)).toThrow(expect.objectContaining({ code: 'conflict' }))
    expect(sessionStatusesAccepting(event)).not.toContain(from)
  })

  test('queued, branching and completed are never written', () => {
    const reached = accepted.map(([, , to]) => to)
    expect(reached).not.toContain('queued')
    expect(reached).not.toContain('branching')
    expect(reached).not.toContain('completed')
  })
})

describe('sandbox record transitions', () => {
  test('archived is terminal', () => {
    for (const event of sandboxEvents) expect(sandboxStatusAfter('archived', event)).toBe(null)
  })
  test.each(sandboxEvents)('the SQL guard of %s reads the same table', (event) => {
    for (const status of sandboxStatuses) {
      expect(sandboxStatusesAccepting(event).includes(status)).toBe(
        sandboxStatusAfter(status, event) !== null,
      )
    }
  })
})
