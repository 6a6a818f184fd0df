import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import type { MonitorSpec } from '../src/monitors/monitor.ts'
import { type Monitors, openMonitors } from '../src/monitors/monitors.ts'
import type { MonitorEntry } from '../src/monitors/outbox.ts'
import { waitFor } from './support/wait-for.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** The platform's side: what it has taken over, and how far it has come with each. */
interface Host {
  readonly folder: string
  monitors: Monitors
  readonly refreshed: (string | null)[]
  readonly busy: boolean[]
  /** Everything that `slug` handed over, each once. */
  of(slug: string): MonitorEntry[]
  texts(slug: string): (string | null)[]
  kinds(slug: string): (string | null)[]
  state(slug: string): string | undefined
  /** One exchange; `acknowledge: false` as when the platform dies before it has written anything. */
  exchange(specs: readonly Partial<MonitorSpec>[], how?: Partial<Exchange>): Promise<void>
  reopen(): void
}

interface Exchange {
  readonly acknowledge: boolean
  readonly quiet: Readonly<Record<string, number>>
  readonly wait_ms: number
  readonly commit: string
}

function openHost(): Host {
  const folder = mkdtempSync(join(tmpdir(), 'svc-monitors-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const epochs = new Map<string, string>()
  const taken = new Map<string, MonitorEntry[]>()
  const states = new Map<string, string>()
  const refreshed: (string | null)[] = []
  const busy: boolean[] = []
  const owner = `monitors-${randomUUID()}`
  const open = () =>
    openMonitors({
      folder: join(folder, 'state'),
      workspace: folder,
      owner,
      environment: () => ({ PATH: process.env['PATH'] ?? '' }),
      refresh: async () => refreshed.push('main'),
      setBusy: (value) => busy.push(value),
      log: createLog(() => undefined),
    })
  const host: Host = {
    folder,
    monitors: open(),
    refreshed,
    busy,
    of: (slug) => taken.get(slug) ?? [],
    texts: (slug) => host.of(slug).map(({ text }) => text),
    kinds: (slug) => host.of(slug).map(({ lifecycle }) => lifecycle),
    state: (slug) => states.get(slug),
    exchange: async (partial, { acknowledge = true, quiet = {}, wait_ms = 50, commit = 'a' } = {}) => {
      const specs = partial.map((spec) => ({ ...blank, ...spec }))
      const cursors = specs.map(({ slug }) => {
        const epoch = epochs.get(slug) ?? randomUUID()
        epochs.set(slug, epoch)
        return { slug, epoch, seq: taken.get(slug)?.at(-1)?.seq ?? 0, quiet_ms: quiet[slug] ?? 0 }
      })
      const body = { revision: JSON.stringify(specs), commit, cursors, wait_ms }
      const { signal } = new AbortController()
      let answer = await host.monitors.exchange(body, signal)
      if (answer.revision !== body.revision)
        answer = await host.monitors.exchange({ ...body, monitors: specs, wait_ms: 0 }, signal)
      for (const { slug, entries, state } of answer.monitors) {
        states.set(slug, state)
        if (!acknowledge) continue
        const last = taken.get(slug)?.at(-1)?.seq ?? 0
        taken.set(slug, [...host.of(slug), ...entries.filter(({ seq }) => seq > last)])
      }
    },
    reopen: () => {
      host.monitors = open()
    },
  }
  ends.push(() => host.monitors.close())
  return host
}

const blank: MonitorSpec = {
  slug: 'one',
  run: 'true',
  mode: 'stream',
  interval_ms: null,
  expect_within_ms: null,
  restart_first_ms: 60_000,
  filter: {},
  environment: {},
}

/** Exchanges until it is so. */
async function until(
  host: Host,
  specs: readonly Partial<MonitorSpec>[],
  is: () => boolean,
  how?: Partial<Exchange>,
) {
  await waitFor('the monitors said so', async () => {
    await host.exchange(specs, how)
    return is()
  })
}

test('a poll says each line of each run, numbered without a gap', async () => {
  const host = openHost()
  const poll = {
    run: 'echo one; echo; echo two; echo aside >&2; exit 3',
    mode: 'poll',
    interval_ms: 20,
  } as const
  await until(host, [poll], () => host.of('one').length >= 6)
  expect(host.texts('one').slice(0, 6)).toEqual(['one', 'two', 'one', 'two', 'one', 'two'])
  expect(host.of('one').map(({ seq }) => seq)).toEqual(host.of('one').map((_, index) => index + 1))
  expect(host.state('one')).toBe('running')
  expect(host.busy).toEqual([true])
})

test('a stream goes on while the platform is away, and hands each line over once', async () => {
  const host = openHost()
  const stream = { run: 'for n in 1 2 3 4 5; do echo line $n; done; exec sleep 600' }
  await until(host, [stream], () => host.state('one') === 'running', { acknowledge: false })
  // The platform died before it wrote anything down: the next one is handed the same.
  await until(host, [stream], () => host.of('one').length === 5)
  await host.exchange([stream])
  expect(host.texts('one')).toEqual([1, 2, 3, 4, 5].map((n) => `line ${n}`))
})

test('lines are cut at 8 KiB, and a last line without an end counts', async () => {
  const host = openHost()
  const run = `head -c 100000 /dev/zero | tr '\\0' x; echo; printf end; exec sleep 600`
  await until(
    host,
    [{ run: `sh -c '${run.replaceAll("'", `'\\''`)}' & sleep 0.2; wait`, mode: 'stream' }],
    () => host.of('one').length >= 1,
  )
  const [long] = host.texts('one')
  expect(Buffer.byteLength(long ?? '')).toBe(8 * 1024)
  expect(long).toMatch(/^x+ \[cut: longer than 8 KiB\]$/)
  const other = { slug: 'two', run: 'printf end', mode: 'poll', interval_ms: 60_000 } as const
  await until(host, [other], () => host.of('two').length === 1)
  expect(host.texts('two')).toEqual(['end'])
})

test('a stream that ends is started again, five times, and then given up', async () => {
  const host = openHost()
  const stream = { run: 'echo alive; echo broken >&2; exit 7', restart_first_ms: 1 }
  await until(host, [stream], () => host.state('one') === 'exhausted')
  await host.exchange([stream])
  const six = Array.from({ length: 6 }, () => [null, 'exit']).flat()
  expect(host.kinds('one')).toEqual([...six, 'restart_budget_exhausted'])
  expect(host.texts('one')[1]).toBe('The command ended (exit 7: broken)')
  // Its entry changes: it runs again.
  await until(host, [{ run: 'echo mended; exec sleep 600' }], () => host.texts('one').at(-1) === 'mended')
  expect(host.state('one')).toBe('running')
})

test('silence is told of once, and again after the next line', async () => {
  const host = openHost()
  const go = join(host.folder, 'go')
  const run = `until [ -e '${go}' ]; do sleep 0.02; done; echo hello; exec sleep 600`
  const stream = { run, expect_within_ms: 100 }
  await until(host, [stream], () => host.state('one') === 'silent')
  expect(host.kinds('one')).toEqual(['silence'])
  writeFileSync(go, '')
  await until(host, [stream], () => host.kinds('one').length === 3)
  expect(host.kinds('one')).toEqual(['silence', null, 'silence'])
  expect(host.texts('one')[1]).toBe('hello')
})

test('one prints without end, and every line of the other arrives', async () => {
  const host = openHost()
  const storm = { slug: 'storm', run: 'exec yes storm' }
  const quiet = { slug: 'quiet', run: 'n=0; while :; do n=$((n+1)); echo $n; sleep 0.02; done' }
  const specs = [storm, quiet]
  await until(host, specs, () => host.of('quiet').length >= 20)
  // The platform has heard enough of it: what comes now is counted, without a row for each.
  const before = host.of('storm').length
  const how = { quiet: { storm: 60_000 } }
  await until(host, specs, () => host.of('quiet').length >= 60, how)
  const said = host.of('quiet').map(({ text }) => Number(text))
  expect(said).toEqual(said.map((_, index) => index + 1))
  const counted = host.of('storm').filter(({ text }) => text === null)
  expect(counted.length).toBeGreaterThan(0)
  expect(host.of('storm').length - before).toBeLessThan(200)
  const { of } = host
  for (const [index, entry] of of('storm').entries())
    expect(entry.first_seq).toBe((of('storm')[index - 1]?.seq ?? 0) + 1)
})

test('what a filter leaves out is no event, and takes no number', async () => {
  const host = openHost()
  const run = `echo '{"level":"info"}'; echo text; echo '{"level":"error","n":1}'; exec sleep 600`
  const spec = { run, filter: { 'line.level': 'error' } }
  await until(host, [spec], () => host.of('one').length > 0)
  expect(host.of('one')).toMatchObject([{ seq: 1, text: '{"level":"error","n":1}' }])
})

test('a change restarts that monitor alone; secrets are hidden; the clone follows the commit', async () => {
  const host = openHost()
  const mark = 'echo started $$ $SECRET; exec sleep 600'
  const environment = { SECRET: 'a long secret value' }
  const a = { slug: 'a', run: mark, environment }
  const b = { slug: 'b', run: mark }
  await until(host, [a, b], () => host.of('a').length + host.of('b').length === 2)
  expect(host.texts('a')[0]).toMatch(/^started \d+ \[hidden\]$/)
  const changed = { ...a, environment: { SECRET: 'another value' } }
  const how = { commit: 'b' }
  await until(host, [changed, b], () => host.of('a').length === 2, how)
  await host.exchange([changed, { ...b, expect_within_ms: 60_000 }], how)
  expect(host.kinds('a')).toEqual([null, null])
  expect(host.texts('b')).toHaveLength(1)
  expect(host.refreshed).toHaveLength(2)
  // Its entry is gone, and so is its process.
  const pid = Number(host.texts('b')[0]?.split(' ')[1])
  await host.exchange([changed], how)
  expect(() => readFileSync(`/proc/${pid}/cmdline`)).toThrow()
})

test('a sandbox that was cut off tells so, keeps what was not handed over, and ends what was left running', async () => {
  const host = openHost()
  const stream = { run: 'echo from $$; exec sleep 600' }
  const poll = { slug: 'p', run: 'true', mode: 'poll', interval_ms: 60_000 } as const
  await until(host, [stream, poll], () => host.state('one') === 'running', { acknowledge: false })
  const state = join(host.folder, 'state', 'one.json')
  await waitFor('the line is on disk', () => readFileSync(state, 'utf8').includes('from '))
  const first = Number(/from (\d+)/.exec(readFileSync(state, 'utf8'))?.[1])
  // Killed: nothing of it runs any more, but for what it had started.
  const killed = host.monitors
  host.reopen()
  await until(host, [stream, poll], () => host.of('one').length === 3)
  expect(host.kinds('one')).toEqual([null, 'exit', null])
  expect(host.kinds('p')).toEqual([])
  expect(() => readFileSync(`/proc/${first}/cmdline`)).toThrow()
  await killed.close()
})

test('a sandbox that knows less than the platform goes on with its numbers', async () => {
  const host = openHost()
  const stream = { run: 'echo again; exec sleep 600' }
  await until(host, [stream], () => host.of('one').length === 1)
  await host.monitors.close()
  rmSync(join(host.folder, 'state'), { recursive: true })
  host.reopen()
  await until(host, [stream], () => host.of('one').length === 2)
  expect(host.of('one').map(({ seq }) => seq)).toEqual([1, 2])
})
