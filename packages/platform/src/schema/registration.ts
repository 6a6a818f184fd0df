import { hostname } from 'node:os'
import type { Logger } from '@svc/boot'
import { type Db, levelsOf, migrations, processes } from '@svc/db'
import type { ProcessName } from '../database/open-database.ts'
import { version } from './version.ts'

export interface RegistrationOptions extends ProcessName {
  readonly commit: string
  readonly machine: string | undefined
  /** As many to PostgreSQL as it may open. */
  readonly connections: number
  readonly log: Pick<Logger, 'warn'>
  readonly beat_ms?: number
}

export interface Registration {
  /** Writes down that it takes no new work, and why. */
  drain(reason: string): void
  /** Calls with each state that an operator gives the process, at its next beat. */
  onState(follow: (state: 'running' | 'draining') => void): void
  close(): Promise<void>
}

/** Keeps the row of this process, which says that it lives and what schema it knows. */
export async function registerProcess(
  db: Db,
  {
    process_id,
    service,
    commit,
    machine = hostname(),
    connections,
    log,
    beat_ms = processes.beatMs,
  }: RegistrationOptions,
): Promise<Registration> {
  const started_at = new Date()
  const row = {
    process_id,
    service,
    version,
    commit,
    schema_level: levelsOf(migrations).newest,
    machine,
    pid: process.pid,
    connections,
    started_at,
  }
  let state: 'running' | 'draining' = 'running'
  let follow: (to: typeof state) => void = () => undefined
  const beat = async () => {
    const wanted = await processes.beat(db, { ...row, beat_at: new Date() })
    if (wanted === state) return
    state = wanted
    follow(wanted)
  }
  await beat()
  await processes.removeGone(db, started_at)
  const timer = setInterval(() => {
    beat().catch((err: unknown) => log.warn({ err }, 'The process could not say that it lives'))
  }, beat_ms)
  timer.unref()
  return {
    drain(reason) {
      processes
        .drain(db, { process_id, reason })
        .catch((err: unknown) => log.warn({ err }, 'The process could not say that it leaves'))
    },
    onState: (to) => void (follow = to),
    async close() {
      clearInterval(timer)
      await processes.remove(db, process_id).catch(() => undefined)
    },
  }
}
