import { expect, test } from 'vitest'
import { dueSlots, maxMissed } from './due-slots.ts'

const hour = 3_600_000
const at = (text: string) => new Date(`2026-03-01T${text}Z`)
const every = (cron: string) => ({ cron, run_at: null, timezone: 'UTC' })
const hourly = every('0 0 * * * *')

test('on time: the slot fires and nothing was missed', () => {
  expect(dueSlots(hourly, at('10:00:00'), at('10:00:01'), hour)).toEqual({
    fire: at('10:00:00'),
    missed: [],
    missed_between: null,
    next: at('11:00:00'),
  })
})

test('after an outage only the latest slot fires, when it is young enough', () => {
  expect(dueSlots(hourly, at('10:00:00'), at('13:30:00'), hour)).toEqual({
    fire: at('13:00:00'),
    missed: [at('10:00:00'), at('11:00:00'), at('12:00:00')],
    missed_between: null,
    next: at('14:00:00'),
  })
  expect(dueSlots(hourly, at('10:00:00'), at('11:30:00'), 60_000)).toMatchObject({
    fire: null,
    missed: [at('10:00:00'), at('11:00:00')],
    next: at('12:00:00'),
  })
})

test('exactly the window is young enough', () => {
  const daily = every('0 0 10 * * *')
  expect(dueSlots(daily, at('10:00:00'), at('11:00:00'), hour).fire).toEqual(at('10:00:00'))
  expect(dueSlots(daily, at('10:00:00'), new Date(at('11:00:00').getTime() + 1), hour).fire).toBeNull()
})

test('a slot that has not come fires nothing', () => {
  expect(dueSlots(hourly, at('10:00:00'), at('09:59:59'), hour)).toEqual({
    fire: null,
    missed: [],
    missed_between: null,
    next: at('10:00:00'),
  })
})

test('a long outage of a quick schedule is bounded, and no slot is left out', () => {
  const secondly = every('* * * * * *')
  const due = dueSlots(secondly, at('00:00:00'), at('10:00:00'), hour)
  expect(due.fire).toEqual(at('10:00:00'))
  expect(due.missed).toHaveLength(maxMissed)
  expect(due.missed_between).toEqual({
    first: new Date(at('00:00:00').getTime() + maxMissed * 1000),
    last: at('09:59:59'),
  })
  expect(due.next).toEqual(at('10:00:01'))
  const late = dueSlots(secondly, at('00:00:00'), at('10:00:00'), -1)
  expect(late).toMatchObject({ fire: null, missed_between: { last: at('10:00:00') } })
})

test('a one-off run fires once or was missed', () => {
  const once = { cron: null, run_at: '2026-03-01T10:00:00Z', timezone: 'UTC' }
  expect(dueSlots(once, at('10:00:00'), at('10:30:00'), hour)).toMatchObject({
    fire: at('10:00:00'),
    next: null,
  })
  expect(dueSlots(once, at('10:00:00'), at('12:30:00'), hour)).toMatchObject({
    fire: null,
    missed: [at('10:00:00')],
    next: null,
  })
})
