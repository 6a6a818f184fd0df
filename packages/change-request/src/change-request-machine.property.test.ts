import { ServiceError } from '@svc/errors'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ChangeRequestEvent,
  changeRequestMachine,
  type ChangeRequestStatus,
  statusAfter,
} from './change-request-machine.ts'

const events = fc.array(fc.constantFrom(...changeRequestMachine.events), { maxLength: 60 })

/** The statuses a change request goes through; refused events leave it where it is. */
function walk(sequence: readonly ChangeRequestEvent[]) {
  const path = [{ status: 'open' as ChangeRequestStatus, refused: null as ServiceError | null }]
  for (const event of sequence) {
    const { status } = path.at(-1) ?? { status: 'open' as const }
    try {
      path.push({ status: statusAfter(status, event), refused: null })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      path.push({ status, refused: error })
    }
  }
  return path
}

test('whatever happens, the status is one of three', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      for (const { status } of walk(sequence)) expect(changeRequestMachine.states).toContain(status)
    }),
  )
})

test('nothing leads out of merged, and merged is entered once, by a merge of an open one', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const path = walk(sequence)
      const first = path.findIndex(({ status }) => status === 'merged')
      if (first === -1) return
      expect(sequence[first - 1]).toBe('merge')
      expect(path[first - 1]?.status).toBe('open')
      expect(path.slice(first).every(({ status }) => status === 'merged')).toBe(true)
      expect(path.slice(first + 1).every(({ refused }) => refused !== null)).toBe(true)
    }),
  )
})

test('only close and reopen lead from open to closed and back', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const path = walk(sequence)
      for (const [index, event] of sequence.entries()) {
        const [before, after] = [path[index]?.status, path[index + 1]?.status]
        if (before === after) continue
        expect([event, before, after]).toEqual(
          event === 'merge'
            ? ['merge', 'open', 'merged']
            : event === 'close'
              ? ['close', 'open', 'closed']
              : ['reopen', 'closed', 'open'],
        )
      }
    }),
  )
})

test('a refusal is a conflict that names the status, and the SQL guard refuses exactly then', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const path = walk(sequence)
      for (const [index, event] of sequence.entries()) {
        const before = path[index]?.status ?? 'open'
        const refused = path[index + 1]?.refused ?? null
        expect(changeRequestMachine.from(event).includes(before)).toBe(refused === null)
        if (refused === null) continue
        expect(refused.code).toBe(event === 'reopen' ? 'CR_NOT_CLOSED' : 'CR_NOT_OPEN')
        expect(refused.message).toContain(before)
      }
    }),
  )
})
