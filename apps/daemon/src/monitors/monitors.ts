import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { monitorHost } from '@svc/contract'
import { z } from 'zod'
import { type Log, messageOf } from '../log.ts'
import { endFamily } from '../runtimes/process-family.ts'
import { pause } from '../shared/backoff.ts'
import { writeFileAtomically } from '../shared/write-file.ts'
import { Monitor, type MonitorSpec } from './monitor.ts'
import { MonitorOutbox } from './outbox.ts'

type Body = z.infer<typeof monitorHost.MonitorsBody>
type Answer = z.infer<typeof monitorHost.MonitorsAnswer>

export interface MonitorsParts {
  /** The folder of the monitors' entries until the platform has them. */
  readonly folder: string
  readonly workspace: string
  readonly owner: string
  readonly environment: () => Readonly<Record<string, string>>
  /** Brings the clone up to date with the default branch. */
  readonly refresh: () => Promise<unknown>
  readonly setBusy: (busy: boolean) => void
  readonly log: Log
}

export interface Monitors {
  /** One exchange with the platform: it sends its monitors and cursors, and gets the monitors' entries. */
  exchange(body: Body, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/** A hand-over holds so much of each monitor, so that a loud one takes nothing from the others. */
const bytesEach = 32 * 1024
const refreshAgainMs = 60_000

/** The monitors of a project, side by side, in one sandbox. */
export function openMonitors(parts: MonitorsParts): Monitors {
  const { folder, log } = parts
  const host_id = hostId(folder)
  const running = new Map<string, Monitor>()
  const waiting = new Set<() => void>()
  // A daemon that was killed could not end the commands of its monitors.
  let turn: Promise<unknown> = endFamily(parts.owner)
  let revision: string | null = null
  let commit: string | null = null
  let refreshAfter = 0

  const changed = (): void => {
    for (const wake of waiting) wake()
  }
  /** One at a time: an exchange that was given up by the platform may still be at work. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function bringUpToDate(wanted: string | null): Promise<void> {
    if (wanted === null || wanted === commit || performance.now() < refreshAfter) return
    try {
      await parts.refresh()
      commit = wanted
    } catch (error) {
      refreshAfter = performance.now() + refreshAgainMs
      log.warn('the clone of the monitors was not brought up to date', { error: messageOf(error) })
    }
  }

  async function configure(specs: readonly MonitorSpec[], cursors: Body['cursors']): Promise<void> {
    const ends = [...running.values()].filter((monitor) => {
      const spec = specs.find(({ slug }) => slug === monitor.spec.slug)
      const epoch = cursors.find(({ slug }) => slug === monitor.spec.slug)?.epoch
      const stays = spec !== undefined && sameCommand(spec, monitor.spec) && epoch === monitor.outbox.epoch
      if (stays) monitor.adopt(spec)
      return !stays
    })
    await Promise.all(ends.map((monitor) => monitor.close('unwanted')))
    for (const { spec } of ends) running.delete(spec.slug)
    forgetOthers(folder, specs)
    for (const spec of specs) {
      const cursor = cursors.find(({ slug }) => slug === spec.slug)
      if (running.has(spec.slug) || cursor === undefined) continue
      for (const value of Object.values(spec.environment)) log.hide(value)
      const outbox = new MonitorOutbox(join(folder, `${spec.slug}.json`), cursor.epoch, changed)
      outbox.acknowledge(cursor.seq)
      const monitor = new Monitor(spec, { ...parts, outbox })
      running.set(spec.slug, monitor)
      monitor.start()
    }
    parts.setBusy(running.size > 0)
  }

  const answer = (): Answer => ({
    revision,
    host_id,
    monitors: [...running.values()].map((monitor) => ({
      slug: monitor.spec.slug,
      epoch: monitor.outbox.epoch,
      state: monitor.state,
      last_line_at: monitor.lastLineAt?.toISOString() ?? null,
      last_exit: monitor.lastExit,
      entries: monitor.outbox.oldest(bytesEach),
    })),
  })
  const isQuiet = (): boolean => ![...running.values()].some(({ outbox }) => outbox.pressing)

  return {
    exchange: async (body, signal) => {
      await inTurn(async () => {
        for (const { slug, epoch, seq, quiet_ms } of body.cursors) {
          const monitor = running.get(slug)
          if (monitor?.outbox.epoch !== epoch) continue
          monitor.quiet(quiet_ms)
          monitor.outbox.acknowledge(seq)
        }
        if (body.revision === revision) return bringUpToDate(body.commit)
        if (body.monitors === undefined) return
        await bringUpToDate(body.commit)
        await configure(body.monitors, body.cursors)
        revision = body.revision
      })
      if (body.revision === revision && isQuiet()) await waitFor(waiting, body.wait_ms, signal)
      return answer()
    },
    close: async () => {
      changed()
      await inTurn(() => Promise.all([...running.values()].map((monitor) => monitor.close('cut'))))
    },
  }
}

async function waitFor(waiting: Set<() => void>, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController()
  const wake = (): void => woken.abort()
  waiting.add(wake)
  await pause(ms, AbortSignal.any([woken.signal, signal]))
  waiting.delete(wake)
}

/** True when a command may go on as it runs. */
function sameCommand(a: MonitorSpec, b: MonitorSpec): boolean {
  const of = ({ run, mode, interval_ms, environment }: MonitorSpec) =>
    JSON.stringify([run, mode, interval_ms, Object.entries(environment).toSorted()])
  return of(a) === of(b)
}

function hostId(folder: string): string {
  const path = join(folder, 'host-id')
  const known = existsSync(path) ? z.uuid().safeParse(readFileSync(path, 'utf8')).data : undefined
  if (known !== undefined) return known
  const host_id = randomUUID()
  writeFileAtomically(path, host_id)
  return host_id
}

function forgetOthers(folder: string, specs: readonly MonitorSpec[]): void {
  const kept = new Set(specs.map(({ slug }) => `${slug}.json`))
  for (const name of readdirSync(folder))
    if (name.endsWith('.json') && !kept.has(name)) rmSync(join(folder, name), { force: true })
}
