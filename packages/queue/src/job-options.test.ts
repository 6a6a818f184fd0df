import { expect, test } from 'vitest'
import { jobOptions } from './job-options.ts'

const idOf = (...args: Parameters<typeof jobOptions>) => jobOptions(...args).deduplication?.id

test('the same name and ids are the same job, in any order', () => {
  expect(idOf('n', { a: '1', b: '2' })).toBe(idOf('n', { b: '2', a: '1' }))
  expect(idOf('n', { a: '1' })).not.toBe(idOf('m', { a: '1' }))
  expect(idOf('n', { a: '1' })).not.toBe(idOf('n', { a: '2' }))
})

test('a job for later is another job than one for now, and does not move it', () => {
  expect(idOf('n', { a: '1' }, { delay_ms: 100 })).not.toBe(idOf('n', { a: '1' }))
  expect(jobOptions('n', { a: '1' }, { delay_ms: 100 }).deduplication).not.toHaveProperty('reschedule')
})

test('delays are whole milliseconds and never negative', () => {
  expect(jobOptions('n', {}, { delay_ms: 10.2 }).delay).toBe(11)
  expect(jobOptions('n', {}, { delay_ms: -5 })).not.toHaveProperty('delay')
})

test('nothing is kept of a job that ended', () => {
  expect(jobOptions('n', {})).toMatchObject({ removeOnComplete: true, removeOnFail: true })
  expect(jobOptions('n', {}).attempts).toBeGreaterThanOrEqual(3)
})
