import { expect, test } from 'vitest'
import { parseJob, queues } from './jobs.ts'

const id = '0b9d7d2e-6a53-4a0f-9f55-0f2b6e0a7c11'
const jobs = Object.entries(queues).flatMap(([, names]) => Object.entries(names))

test.each(jobs)('%s carries ids and nothing else', (_name, schema) => {
  const fields = Object.keys(schema.shape)
  expect(fields.every((field) => field.endsWith('_id'))).toBe(true)
  const payload = Object.fromEntries(fields.map((field) => [field, id]))
  expect(schema.parse(payload)).toEqual(payload)
  expect(schema.safeParse({ ...payload, token: 'x' }).success).toBe(false)
  expect(schema.safeParse({}).success).toBe(false)
})

test('a name that the queue does not know is refused', () => {
  expect(() => parseJob('merge', 'sandbox.stop', { session_id: id })).toThrow('has no job')
  expect(() => parseJob('merge', 'toString', {})).toThrow('has no job')
})
