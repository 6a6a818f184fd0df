import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from './logger.ts'
import { createOutages } from './outages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  const lines: string[] = []
  const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } })
  const isShared = (error: unknown) => error instanceof Error && error.message === 'away'
  const said = () =>
    lines.splice(0).map((line) => {
      const { msg, part, parts, failures, seconds } = JSON.parse(line)
      return [msg, ...[part ?? parts, failures, seconds].filter((value) => value !== undefined)]
    })
  return { outages: createOutages(log, { isShared }), said }
}

test('a database that is away for a minute and a half is five lines, however many parts ask how often', () => {
  const { outages, said } = setUp()
  const parts = ['prompts', 'owed work']
  for (let second = 0; second < 95; second += 1) {
    for (const part of parts) outages.failed(part, new Error('away'))
    vi.advanceTimersByTime(1_000)
  }
  for (const part of parts) outages.worked(part)
  for (const part of parts) outages.worked(part)
  vi.advanceTimersByTime(120_000)
  expect(said()).toEqual([
    ['Work failed, and is tried again', 'prompts'],
    ['Work still fails', parts, 60, 30],
    ['Work still fails', parts, 120, 60],
    ['Work still fails', parts, 180, 90],
    ['Work goes on again', 190, 95],
  ])
})

test('a fault of one part is its own, and does not hide in the outage of all', () => {
  const { outages, said } = setUp()
  outages.failed('prompts', new Error('away'))
  outages.failed('owed work', new Error('wrong'))
  outages.failed('owed work', new Error('wrong'))
  outages.worked('prompts')
  outages.failed('prompts', new Error('away'))
  outages.worked('owed work')
  outages.worked('prompts')
  expect(said()).toEqual([
    ['Work failed, and is tried again', 'prompts'],
    ['Work failed, and is tried again', 'owed work'],
    ['Work goes on again', 1, 0],
    ['Work failed, and is tried again', 'prompts'],
    ['Work goes on again', 2, 0],
    ['Work goes on again', 1, 0],
  ])
})
