import type { ServiceError } from '@svc/errors'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalidRequest } from './validation.ts'

const schema = z.strictObject({ name: z.string(), items: z.array(z.object({ at: z.int() })).optional() })

function refusal(value: unknown): ServiceError {
  const read = schema.safeParse(value)
  if (read.success) throw new Error('was accepted')
  return invalidRequest(read.error)
}

test('each issue names its place', () => {
  const error = refusal({ name: 1, items: [{ at: 'x' }] })
  expect(error.code).toBe('invalid_request')
  expect(error.details.issues).toMatchObject([{ path: 'name' }, { path: 'items[0].at' }])
  expect(error.message).toBe('name: must be text, not a number')
})

test('unknown keys are issues at the keys', () => {
  expect(refusal({ name: 'x', extra: 1, other: 2 }).details.issues).toEqual([
    { path: 'extra', message: 'is not a known key' },
    { path: 'other', message: 'is not a known key' },
  ])
})

test('a body of another kind is called the body', () => {
  expect(refusal([]).message).toBe('The body must be an object, not a list')
})
