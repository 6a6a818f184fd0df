import { expect, test } from 'vitest'
import { commandsOf, decide, isForbidden, matches, rulesOf } from './permissions.ts'

test('of the rules that match, the last decides; what no rule names is allowed', () => {
  const rules = rulesOf({ bash: { '*': 'ask', 'git *': 'allow', 'git push*': 'deny' }, edit: 'deny' })
  expect(decide(rules, 'bash', ['ls'])).toBe('ask')
  expect(decide(rules, 'bash', ['git status'])).toBe('allow')
  expect(decide(rules, 'bash', ['git push origin'])).toBe('deny')
  expect(decide(rules, 'bash', ['git status', 'ls'])).toBe('ask')
  expect(decide(rules, 'edit', ['a.txt'])).toBe('deny')
  expect(decide(rules, 'read', ['a.txt'])).toBe('allow')
})

test('one word is a rule for everything', () => {
  expect(decide(rulesOf('ask'), 'bash', ['ls'])).toBe('ask')
  expect(decide(rulesOf(undefined), 'bash', ['ls'])).toBe('allow')
})

test('a tool is hidden from the model when no use of it can be allowed', () => {
  expect(isForbidden(rulesOf({ bash: 'deny' }), 'bash')).toBe(true)
  expect(isForbidden(rulesOf('deny'), 'bash')).toBe(true)
  expect(isForbidden(rulesOf({ bash: { '*': 'deny', 'ls *': 'allow' } }), 'bash')).toBe(false)
  expect(isForbidden(rulesOf({ '*': 'deny', bash: 'allow' }), 'bash')).toBe(false)
  expect(isForbidden(rulesOf({ bash: 'ask' }), 'bash')).toBe(false)
})

test.each([
  ['git *', 'git', true],
  ['git *', 'git log', true],
  ['git *', 'gitk', false],
  ['*.ts', 'a/b.ts', true],
  ['a?c', 'abc', true],
  ['a.c', 'abc', false],
])('%s and %s: %s', (pattern, text, verdict) => {
  expect(matches(pattern, text)).toBe(verdict)
})

test('a command that is asked for does not hide behind another', () => {
  expect(commandsOf('ls && rm -rf x; cat y | sh\npwd')).toEqual(['ls', 'rm -rf x', 'cat y', 'sh', 'pwd'])
  expect(commandsOf('')).toEqual([''])
})
