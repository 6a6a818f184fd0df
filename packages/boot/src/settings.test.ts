import { expect, test } from 'vitest'
import { z } from 'zod'
import { readSettings, SettingsError } from './settings.ts'

const schema = z.object({
  DATABASE_URL: z.url().describe('where PostgreSQL is'),
  SVC_PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  SVC_MASTER_KEY: z.string().min(32),
  SVC_MODE: z.enum(['embedded', 'deployed']).default('deployed'),
})
const good = { DATABASE_URL: 'postgres://u:p@db/svc', SVC_MASTER_KEY: 'k'.repeat(32) }

function problemsOf(source: NodeJS.ProcessEnv): string {
  try {
    readSettings(schema, source)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  throw new Error('The settings were taken')
}

test('gives typed values and defaults, and leaves out what the schema does not name', () => {
  expect(readSettings(schema, { ...good, SVC_PORT: '9000', HOME: '/root' })).toEqual({
    ...good,
    SVC_PORT: 9000,
    SVC_MODE: 'deployed',
  })
})

test('an empty variable counts as not given', () => {
  expect(readSettings(schema, { ...good, SVC_PORT: '' }).SVC_PORT).toBe(8080)
  expect(problemsOf({ ...good, DATABASE_URL: '' })).toContain('DATABASE_URL')
})

test('names every variable that is wrong or missing, with what was given and what is expected', () => {
  const text = problemsOf({ SVC_PORT: '99999', SVC_MODE: 'cloud', SVC_MASTER_KEY: 'k'.repeat(40) })
  expect(text).toContain('- DATABASE_URL: is missing - where PostgreSQL is')
  expect(text).toContain('- SVC_PORT: must be at most 65535 (given: "99999")')
  expect(problemsOf({ ...good, SVC_PORT: '0' })).toContain('SVC_PORT: must be at least 1 (given: "0")')
  expect(problemsOf({ ...good, SVC_PORT: 'abc' })).toContain('SVC_PORT: must be a number (given: "abc")')
  expect(text).toContain('- SVC_MODE: must be one of embedded, deployed (given: "cloud")')
  expect(text).not.toContain('SVC_MASTER_KEY')
})

test('never shows a secret, nor a password in an address', () => {
  const text = problemsOf({ SVC_MASTER_KEY: 'too-short', DATABASE_URL: 'not a url redis://u:hunter2@db' })
  expect(text).toContain('SVC_MASTER_KEY')
  expect(text).not.toContain('too-short')
  expect(text).not.toContain('hunter2')
})
