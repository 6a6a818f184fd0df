import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '@svc/boot'
import { type BaseContext, noMaintenance } from '@svc/context'
import { createDatabase, DatabaseListener, type Db } from '@svc/db'
import { createRepositories } from '@svc/git'
import { openFolderStore } from '@svc/objects'
import { createVault } from '@svc/vault'

/** A process of a test, as it is started. */
export interface ChildSettings {
  readonly connection_string: string
  readonly master_key: string
  readonly folder: string
  readonly now: string
}

/** All that its parts share, on the database of the test. */
export async function childParts(
  { connection_string, master_key, folder }: ChildSettings,
  { db, now, name }: { readonly db: Db; readonly now: () => Date; readonly name: 'api' | 'executor' },
) {
  return {
    ...{ db, now },
    locks: createDatabase(connection_string),
    listener: new DatabaseListener(connection_string),
    enqueue: async () => {},
    repositories: await createRepositories({
      root: `${folder}/repositories`,
      cache_root: `${folder}/cache`,
      identity: { name: 'svc', email: 'noreply@svc.invalid' },
      allow: {},
    }),
    objects: await openFolderStore(`${folder}/objects`),
    vault: createVault(Buffer.from(master_key, 'hex'), { key_id: 'test' }),
    settings: {
      api_url: 'https://svc.example.test/v1',
      llm_base_url: null,
      session_cap: null,
      idle_after_seconds: 1800,
      trigger_idle_after_seconds: 300,
      ask_timeout_seconds: 1800,
    },
    log: createLogger({ name, level: 'fatal', destination: process.stderr }),
    metrics: createMetrics(name),
    maintenance: () => noMaintenance,
    newId: randomUUID,
    signal: new AbortController().signal,
    connector_settings: { approval_sign_in_minutes: 60, call_days: 90 },
  } satisfies BaseContext & Record<string, unknown>
}
