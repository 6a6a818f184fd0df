import { expect, test } from 'vitest'
import { withLogTail } from './log-tail.ts'

test('a sandbox that said nothing leaves the summary alone', () => {
  expect(withLogTail('It ended', ' \n\0')).toBe('It ended')
})

test('the daemon’s log lines are told as people read them, other lines as they are', () => {
  const output = [
    '{"level":"info","time":"2026-11-20T20:43:38.002Z","name":"svc-agent","msg":"svc-agent listens","port":8000}',
    'Segmentation fault',
    '{"level":"warn","time":"2026-11-20T20:52:01.298Z","name":"svc-agent","msg":"the agent runtime ended","words":"killed"}',
    '{"not":"a log line"}',
  ].join('\n')
  expect(withLogTail('It ended', output)).toBe(
    [
      'It ended; it last said:',
      '20:43:38 info svc-agent listens (port: 8000)',
      'Segmentation fault',
      '20:52:01 warn the agent runtime ended (words: killed)',
      '{"not":"a log line"}',
    ].join('\n'),
  )
})

test('only the end of many words is kept', () => {
  const summary = withLogTail('It ended', `${'x'.repeat(5_000)}\nthe cause`)
  expect(summary.length).toBeLessThan(2_100)
  expect(summary).toMatch(/the cause$/)
})
