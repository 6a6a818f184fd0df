import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from '@svc/boot'
import { type Db, levelsOf, migrations, processes } from '@svc/db'
import { version } from './version.ts'

export interface RegistrationOptions {
  readonly service: string
  readonly commit: string
  readonly machine: string | undefined
  readonly log: Pick<Logger, 'warn'>
}

export interface Registration {
  readonly process_id: string
  /** Writes down that it takes no new work, and why. */
  drain(reason: string): void
  close(): Promise<void>
}

/** Keeps the row of this process, which says that it lives and what schema it knows. */
export async function registerProcess(
  db: Db,
  { service, commit, machine = hostname(), log }: RegistrationOptions,
): Promise<Registration> {
  const started_at = new Date()
  const row = {
    process_id: randomUUID(),
    service,
    version,
    commit,
    schema_level: levelsOf(migrations).newest,
    machine,
    pid: process.pid,
    started_at,
  }
  const beat = () => processes.beat(db, { ...row, beat_at: new Date() })
  await beat()
  await processes.removeGone(db, started_at)
  const timer = setInterval(() => {
    beat().catch((err: unknown) => log.warn({ err }, 'The process could not say that it lives'))
  }, processes.beatMs)
  timer.unref()
  return {
    process_id: row.process_id,
    drain(reason) {
      processes
        .drain(db, { process_id: row.process_id, reason })
        .catch((err: unknown) => log.warn({ err }, 'The process could not say that it leaves'))
    },
    async close() {
      clearInterval(timer)
      await processes.remove(db, row.process_id).catch(() => undefined)
    },
  }
}
