import { expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Outbox, type OutboxEntry } from './outbox.ts'
import { type PlatformApi, PlatformError, type TurnReport } from './platform-api.ts'
import type { SpoolFile } from './spool-file.ts'

const event = (n: number): OutboxEntry => ({
  kind: 'event',
  event: { event_id: `e${n}`, type: 'message', at: '2026-01-01T00:00:00Z', payload: { n } },
})
const turnEnd: OutboxEntry = { kind: 'report', report: { kind: 'turn_end', status: 'completed' } }
const limits = { outboxEntries: 5, outboxBytes: 10_000, eventsPerReport: 3, bytesPerReport: 1_000 }

function memorySpool(kept: unknown[] = []): SpoolFile & { kept: unknown[] } {
  const spool = {
    kept,
    load: () => [...spool.kept],
    append: (entry: unknown) => void spool.kept.push(entry),
    drop: (count: number) => void spool.kept.splice(0, count),
  }
  return spool
}

/** Remembers what it was told as short words; `answer` may refuse. */
function setUp(answer: (words: string) => void = () => undefined, spool = memorySpool()) {
  const delivered: string[] = []
  const deliver = (words: string): void => {
    answer(words)
    delivered.push(words)
  }
  const messageOf = (report: TurnReport): string =>
    report.kind === 'events' ? report.events.map(({ event_id }) => event_id).join('+') : report.kind
  const api: PlatformApi = {
    report: async (report) => {
      deliver(messageOf(report))
      return {}
    },
    history: async () => [],
    question: async ({ request_id }) => deliver(`question ${request_id}`),
    permission: async ({ request_id }) => deliver(`permission ${request_id}`),
    cloneCredential: () => Promise.reject(new Error('not asked here')),
  }
  const outbox = new Outbox({ api, spool, log: createLog(() => undefined), limits })
  return { outbox, delivered, spool }
}

const refusal = (status: number | null) => new PlatformError('no', status)

test('order is kept, and only events that follow one another share a report', async () => {
  const { outbox, delivered, spool } = setUp()
  for (const n of [1, 2, 3, 4]) outbox.add(event(n))
  outbox.add({ kind: 'permission', request_id: 'p1', permission: 'bash', patterns: [] })
  outbox.add(turnEnd)
  outbox.add(event(5))
  await vi.waitFor(() => expect(outbox.waiting).toBe(0))
  expect(delivered).toEqual(['e1+e2+e3', 'e4', 'permission p1', 'turn_end', 'e5'])
  expect(spool.kept).toEqual([])
})

test('while the platform is away everything lasting waits, deltas are dropped', async () => {
  let up = false
  const { outbox, delivered } = setUp(() => {
    if (!up) throw refusal(503)
  })
  outbox.add(event(1))
  outbox.addPassing(event(99))
  await new Promise((resolve) => setTimeout(resolve, 100))
  outbox.addPassing(event(98))
  outbox.add(event(2))
  up = true
  await vi.waitFor(() => expect(outbox.waiting).toBe(0), 5_000)
  expect(delivered.join('+')).toBe('e1+e2')
})

test('one event that is refused for good does not hold up the others', async () => {
  const { outbox, delivered } = setUp((words) => {
    if (words.includes('e2')) throw refusal(400)
  })
  for (const n of [1, 2, 3]) outbox.add(event(n))
  await vi.waitFor(() => expect(outbox.waiting).toBe(0))
  expect(delivered).toEqual(['e1', 'e3'])
})

test('a refused credential is no reason to forget', async () => {
  let status: number | null = 401
  const { outbox, delivered } = setUp(() => {
    if (status !== null) throw refusal(status)
  })
  outbox.add(turnEnd)
  await new Promise((resolve) => setTimeout(resolve, 60))
  status = null
  await vi.waitFor(() => expect(delivered).toEqual(['turn_end']), 5_000)
})

test('a passing report is sent only while it is true', async () => {
  const { outbox, delivered } = setUp()
  outbox.addPassing({ kind: 'report', report: { kind: 'execution_lease_release' } }, () => false)
  outbox.add(turnEnd)
  await vi.waitFor(() => expect(outbox.waiting).toBe(0))
  expect(delivered).toEqual(['turn_end'])
})

test('what an earlier process could not deliver comes first; unreadable lines are passed over', async () => {
  const { outbox, delivered, spool } = setUp(undefined, memorySpool([event(1), 'rubbish', turnEnd]))
  outbox.resume((value) => (typeof value === 'string' ? null : (value as OutboxEntry)))
  outbox.add(event(2))
  await vi.waitFor(() => expect(outbox.waiting).toBe(0))
  expect(delivered).toEqual(['e1', 'turn_end', 'e2'])
  expect(spool.kept).toEqual([])
})

test('in a long outage the oldest go first, and the rest stays on disk at the close', async () => {
  const { outbox, spool } = setUp(() => {
    throw refusal(null)
  })
  for (let n = 1; n <= 8; n += 1) outbox.add(event(n))
  await vi.waitFor(() => expect(outbox.waiting).toBe(5))
  await outbox.close(10)
  expect(spool.kept).toEqual([4, 5, 6, 7, 8].map(event))
})

test('whoever waits for the reports has them sent at once, however long the last failure would keep them', async () => {
  let up = false
  const { outbox, delivered } = setUp(() => {
    if (!up) throw new PlatformError('no', 503, 60_000)
  })
  outbox.add(turnEnd)
  await new Promise((resolve) => setTimeout(resolve, 60))
  up = true
  await outbox.flush(5_000)
  expect(delivered).toEqual(['turn_end'])
})
