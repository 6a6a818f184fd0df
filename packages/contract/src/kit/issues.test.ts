import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issuesOf, pathText } from './issues.ts'

function issues(schema: z.ZodType, value: unknown, base?: readonly string[]) {
  const read = schema.safeParse(value)
  if (read.success) throw new Error('was accepted')
  return issuesOf(read.error, base)
}

test('paths are written as people write them', () => {
  expect(pathText([])).toBe('')
  expect(pathText(['a', 'b'])).toBe('a.b')
  expect(pathText(['items', 0, 'at'])).toBe('items[0].at')
})

test('a place begins where the caller says', () => {
  expect(issues(z.array(z.string()), [1], ['secrets'])).toEqual([
    { path: 'secrets[0]', message: 'must be text, not a number' },
  ])
})

test('unknown keys are issues at the keys', () => {
  const schema = z.strictObject({ inner: z.strictObject({}) })
  expect(issues(schema, { inner: { a: 1, b: 2 }, c: 3 })).toEqual([
    { path: 'inner.a', message: 'is not a known key' },
    { path: 'inner.b', message: 'is not a known key' },
    { path: 'c', message: 'is not a known key' },
  ])
})

const byKind = (kind: 'a' | 'b') => z.object({ kind: z.literal(kind) })

describe('one issue in plain words', () => {
  test.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is required'],
    [z.string(), null, 'must be text, not null'],
    [z.string(), 1, 'must be text, not a number'],
    [z.object({}), [], 'must be an object, not a list'],
    [z.record(z.string(), z.string()), 'x', 'must be an object, not text'],
    [z.array(z.string()), {}, 'must be a list, not an object'],
    [z.boolean(), 'yes', 'must be true or false, not text'],
    [z.coerce.number(), 'x', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.number(), '1', 'must be a number, not text'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().max(200), 201, 'must be at most 200'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(8), 'x', 'must have at least 8 characters'],
    [z.string().max(100), 'x'.repeat(101), 'must have at most 100 characters'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    [z.enum(['open', 'merged', 'all']), 'x', 'must be one of open, merged, all'],
    [z.literal(2), 3, 'must be 2'],
    [z.uuid(), 'x', 'must be a uuid'],
    [z.uuidv4(), 'x', 'must be a uuid'],
    [z.iso.datetime(), 'x', 'must be a time in ISO 8601, such as 2030-01-31T09:00:00Z'],
    [z.email(), 'x', 'must be an email address'],
    [z.url(), 'x', 'must be a URL'],
    [z.union([z.string(), z.number()]), [], 'must be text or a number'],
    [z.discriminatedUnion('kind', [byKind('a'), byKind('b')]), { kind: 'x' }, 'must be one of a, b'],
    [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
    [z.record(z.string().regex(/^a$/, 'keys must be an a'), z.string()), { b: 'x' }, 'keys must be an a'],
    [z.string().max(1, 'must be short'), 'xx', 'must be short'],
  ])('%#', (schema, value, message) => {
    expect(issues(schema, value)[0]?.message).toBe(message)
  })
})

test('a fault inside of the one option that fits otherwise is the issue', () => {
  const schema = z.object({ a: z.union([z.null(), z.object({ b: z.string() })]) })
  expect(issues(schema, { a: { b: 1 } })).toEqual([{ path: 'a.b', message: 'must be text, not a number' }])
})
