import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { durationMs } from '@svc/facts'
import { monitorLimits } from './monitor-limits.ts'
import { lineValue, monitorLine, monitorPayload } from './monitor-line.ts'
import { outsideNotice, renderPrompt } from './prompt.ts'

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', [1]],
  ['5', { raw: '5' }],
  ['"x"', { raw: '"x"' }],
  ['null', { raw: 'null' }],
  ['{"a":', { raw: '{"a":' }],
  ['ERROR down', { raw: 'ERROR down' }],
])('the line %s', (text, value) => expect(lineValue(text)).toEqual(value))

test('a line is at most 8 KiB, says when it was cut, and holds no half of a character', () => {
  const long = monitorLine(Buffer.from('ü'.repeat(5_000)))
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(monitorLimits.line_bytes)
  expect(long).toMatch(/^ü+ \[cut: longer than 8 KiB\]$/)
  expect(monitorLine(Buffer.from('whole'))).toBe('whole')
  expect(monitorLine(Buffer.from('part'), true)).toBe('part [cut: longer than 8 KiB]')
  assert(
    property(string({ unit: 'binary', maxLength: 4_000 }), (text) => {
      const line = monitorLine(Buffer.from(text))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(monitorLimits.line_bytes)
      expect(line).not.toContain('\0')
    }),
    { numRuns: 20 },
  )
})

const emitted_at = new Date('2026-03-01T10:00:00Z')

test('an event and a lifecycle event fill in the same template, after the notice', () => {
  const template =
    '{{ monitor.slug }} {{ monitor.seq }} {{ monitor.kind }} {{ monitor.lifecycle }} {{ line.raw }}{{ line.level }}'
  const fire = { slug: 'log', seq: 7, emitted_at }
  const event = monitorPayload({ ...fire, text: '{"level":"error"}', lifecycle: null })
  expect(renderPrompt(template, event, 'monitor')).toBe(`${outsideNotice}log 7 event  error`)
  const exit = monitorPayload({ ...fire, text: 'It ended (exit 1)', lifecycle: 'exit' })
  expect(renderPrompt(template, exit, 'monitor')).toBe(
    `${outsideNotice}log 7 lifecycle exit It ended (exit 1)`,
  )
  expect(event).toMatchObject({ monitor: { emitted_at: '2026-03-01T10:00:00.000Z' } })
})

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['0s', null],
  ['5', null],
  ['5 m', null],
])('%s is %s ms', (text, ms) => expect(durationMs(text)).toBe(ms))
