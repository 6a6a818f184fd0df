import { ServiceError } from '@svc/errors'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pathText, refuseInvalid } from './validation.ts'

const schema = z.strictObject({ name: z.string(), items: z.array(z.object({ at: z.int() })).optional() })

function refusal(value: unknown): ServiceError {
  try {
    refuseInvalid(schema.safeParse(value))
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('was accepted')
}

test('paths are written as people write them', () => {
  expect(pathText([])).toBe('')
  expect(pathText(['a', 'b'])).toBe('a.b')
  expect(pathText(['items', 0, 'at'])).toBe('items[0].at')
})

test('a valid value passes', () => {
  expect(() => refuseInvalid(schema.safeParse({ name: 'x' }))).not.toThrow()
})

test('each issue names its place', () => {
  const error = refusal({ name: 1, items: [{ at: 'x' }] })
  expect(error.code).toBe('invalid_request')
  expect(error.details.issues).toMatchObject([{ path: 'name' }, { path: 'items[0].at' }])
  expect(error.message).toMatch(/^name: /)
})

test('unknown keys are issues at the keys', () => {
  expect(refusal({ name: 'x', extra: 1, other: 2 }).details.issues).toEqual([
    { path: 'extra', message: 'is not a known key' },
    { path: 'other', message: 'is not a known key' },
  ])
})

test('what is missing, empty or no number is said in plain words', () => {
  const plain = z.object({ name: z.string().min(1), limit: z.coerce.number() })
  const issues = (value: unknown) => {
    try {
      refuseInvalid(plain.safeParse(value))
    } catch (error) {
      if (error instanceof ServiceError) return error.details.issues
    }
    return []
  }
  expect(issues({ limit: '1' })).toEqual([{ path: 'name', message: 'is required' }])
  expect(issues({ name: '', limit: 'x' })).toEqual([
    { path: 'name', message: 'must not be empty' },
    { path: 'limit', message: 'must be a number' },
  ])
  expect(issues({ name: 1, limit: 1 })).toEqual([
    { path: 'name', message: 'expected string, received number' },
  ])
})
