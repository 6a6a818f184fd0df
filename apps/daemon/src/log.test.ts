import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a hidden value appears in no line, also when JSON escapes it', () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  log.hide('s3cret-value')
  log.hide('with"quote"inside')
  log.info('token s3cret-value used', { nested: { key: 's3cret-value', other: 'with"quote"inside' } })
  expect(lines.join('')).not.toContain('s3cret')
  expect(lines.join('')).not.toContain('quote')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'token [hidden] used' })
})

test('short values are left alone', () => {
  const log = createLog(() => undefined)
  log.hide('a')
  expect(log.redact('a cat')).toBe('a cat')
})
