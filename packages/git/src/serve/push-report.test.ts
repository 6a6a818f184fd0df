import { expect, test } from 'vitest'
import { pktLine } from './pkt-lines.ts'
import { pushReportCollector, readPushReport } from './push-report.ts'

const report = (...lines: string[]) => lines.map((line) => pktLine(`${line}\n`)).join('') + '0000'
const banded = (text: string) => pktLine(`\x01${text}`)
const read = (text: string) => readPushReport(Buffer.from(text, 'latin1'))

const said = report('unpack ok', 'ok refs/heads/topic', 'ng refs/heads/main hook declined')
const meant = {
  moved: ['refs/heads/topic'],
  refused: [{ ref: 'refs/heads/main', reason: 'hook declined' }],
}

test('a report with a side band, without one, and beside what the hook says', () => {
  expect(read(`${banded(said)}0000`)).toEqual(meant)
  expect(read(said)).toEqual(meant)
  const progress = pktLine('\x02ok refs/heads/forged\n')
  expect(read(`${progress}${banded(said)}${progress}0000`)).toEqual(meant)
})

test('a report in pieces of the side band', () => {
  expect(read(`${banded(said.slice(0, 21))}${banded(said.slice(21))}0000`)).toEqual(meant)
})

test('refs that are not ASCII, and options of the newer report', () => {
  const ref = Buffer.from('refs/heads/früh', 'utf8').toString('latin1')
  expect(read(report('unpack ok', `ok ${ref}`, 'option new-oid 1'))).toEqual({
    moved: ['refs/heads/früh'],
    refused: [],
  })
})

test.each(['', '0000', 'nonsense', report('ok refs/heads/x')])('%j is no report', (text) => {
  expect(read(text)).toBe(null)
})

test('an answer that goes on and on is not kept', () => {
  const collected = pushReportCollector()
  collected.add(Buffer.from(banded(said), 'latin1'))
  expect(collected.read()).toEqual(meant)
  collected.add(Buffer.alloc(300_000))
  expect(collected.read()).toBe(null)
})
