import { failureCategories, sessionMachine, stopReasons } from '@svc/session'
import { expect, test } from 'vitest'
import { stateWords } from './state-words.ts'

const nothing = { stop_reason: null, failure: null, error: null }

test.each(sessionMachine.states)('%s is told in words', (status) => {
  expect(stateWords({ ...nothing, status }).what).toMatch(/^[A-Z].*\.$/)
})

test.each(stopReasons)('stopped for %s says so, and what the sandbox said', (stop_reason) => {
  const failure = { category: 'exited', message: 'out of memory', retryable: true } as const
  const words = stateWords({ status: 'stopped', stop_reason, failure, error: null })
  expect(words.what).not.toBe(stateWords({ ...nothing, status: 'stopped' }).what)
  expect(words.why).toBe('out of memory')
})

test.each(failureCategories)('failed for %s names it, and whether trying again makes sense', (category) => {
  const words = (retryable: boolean) =>
    stateWords({ ...nothing, status: 'failed', failure: { category, message: 'no', retryable } })
  expect(words(true).what).toContain(category)
  expect(words(true).advice).toContain('Start tries again')
  expect(words(false).advice).toContain('end the same way')
})
