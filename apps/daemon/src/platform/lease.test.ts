import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { createLease } from './lease.ts'
import type { TurnAnswer } from './platform-api.ts'
import { createWatchdog } from './watchdog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const log = createLog(() => undefined)

function setUp() {
  const reports: string[] = []
  let answer: () => TurnAnswer = () => ({})
  const lease = createLease({
    heartbeat: async () => {
      reports.push('beat')
      return answer()
    },
    release: () => void reports.push('release'),
    touch: async (url) => void reports.push(`touch ${url}`),
    everyMs: 20_000,
    log,
  })
  return { lease, reports, setAnswer: (next: () => TurnAnswer) => (answer = next) }
}

test('beats at once and every 20 seconds while busy, and releases once', async () => {
  const { lease, reports } = setUp()
  lease.setBusy(true)
  lease.setBusy(true)
  await vi.advanceTimersByTimeAsync(40_000)
  lease.setBusy(false)
  lease.setBusy(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reports).toEqual(['beat', 'beat', 'beat', 'release'])
})

test('touches the provider’s edge, also with an address of before when the platform is away', async () => {
  const { lease, reports, setAnswer } = setUp()
  setAnswer(() => ({ provider_url: 'http://edge' }))
  lease.setBusy(true)
  await vi.advanceTimersByTimeAsync(0)
  setAnswer(() => {
    throw new Error('away')
  })
  await vi.advanceTimersByTimeAsync(20_000)
  lease.close()
  expect(reports).toEqual(['beat', 'touch http://edge', 'beat', 'touch http://edge'])
})

test('silence of the platform is counted in probes that failed', async () => {
  let up = true
  let over = 0
  const watchdog = createWatchdog({
    probe: () => (up ? Promise.resolve() : Promise.reject(new Error('away'))),
    onSilence: () => (over += 1),
    everyMs: 30_000,
    silenceMs: 15 * 60_000,
    log,
  })
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  up = false
  await vi.advanceTimersByTimeAsync(14 * 60_000)
  watchdog.onContact()
  await vi.advanceTimersByTimeAsync(15 * 60_000)
  expect(over).toBe(0)
  await vi.advanceTimersByTimeAsync(60_000)
  watchdog.close()
  expect(over).toBeGreaterThan(0)
})
