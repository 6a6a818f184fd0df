import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@svc/boot'
import { admitBuild, createDatabase, levelsOf, migrations, readLevels } from '@svc/db'
import { version } from './version.ts'

export interface AwaitSchemaOptions {
  readonly wait_seconds: number
  readonly stopping: AbortSignal
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** A build that does not fit the schema of its database. */
export class SchemaMismatch extends Error {}

const lookMs = 1_000

/** Returns when this build may work on the database, and throws when it may not. Writes nothing. */
export async function awaitSchema(
  database_url: string,
  { wait_seconds, stopping, log }: AwaitSchemaOptions,
): Promise<void> {
  const db = createDatabase(database_url, { max: 1 })
  try {
    for (
      const deadline = Date.now() + wait_seconds * 1_000;
      ;
      await sleep(lookMs, null, { signal: stopping })
    ) {
      const admission = admitBuild(await readLevels(db), { ...levelsOf(migrations), version })
      if (admission.kind === 'newer') log.warn(admission.message)
      if (admission.kind === 'ready' || admission.kind === 'newer') return
      if (admission.kind === 'too_old' || Date.now() >= deadline) throw new SchemaMismatch(admission.message)
      log.info({ wait_seconds }, 'The schema of the database is older than this build needs; waiting')
    }
  } finally {
    await db.destroy()
  }
}
