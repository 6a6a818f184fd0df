import { counted } from '@svc/facts'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { marksFile, openPlace, type Restored, restoreBackup, splitBackup } from '@svc/backup'
import { createLogger, createMetrics, readSettings } from '@svc/boot'
import { createDatabase, maintenance } from '@svc/db'
import {
  directUrl,
  migrateSchema,
  openStorage,
  platformEnv,
  runOperatorCommand,
  storeKeys,
  type Streams,
} from '@svc/platform'
import { gatewaySealer } from '@svc/platform/env'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { lookForFindings } from './doctor-command.ts'
import { sealedPlaces } from '../sealed-places.ts'

const usage = `restore --from <backup>     puts a backup into an empty database, empty folders and an empty object store; killed, run it again
        --without-secrets    where its master key is lost: what it sealed is left out
        --resume             opens the platform afterwards; without it a person looks first, then: svc admin maintenance off
        --json               prints what was done as JSON`

const options = {
  from: { type: 'string' },
  'without-secrets': { type: 'boolean' },
  resume: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const Env = z.object(platformEnv)

/** The operator's `restore …`; `begin` runs just before the first write. Resolves with the exit code: 0 done, 1 not, 2 misused. */
export function runRestoreCommand(
  words: readonly string[],
  source: NodeJS.ProcessEnv,
  streams: Streams,
  begin?: () => Promise<void>,
): Promise<number> {
  const run = async (asked: Asked) => ({ result: await restore(asked, source, streams.err, begin) })
  return runOperatorCommand({ name: 'restore', usage, parse, run, linesOf }, words, streams)
}

interface Asked {
  readonly from: string
  readonly without_secrets: boolean
  readonly resume: boolean
  readonly json: boolean
}

function parse(words: readonly string[]): Asked | null {
  const { values } = parseArgs({ args: [...words], options })
  const { from, 'without-secrets': without_secrets = false, resume = false, json = false } = values
  return from === undefined ? null : { from, without_secrets, resume, json }
}

async function restore(
  { from, without_secrets, resume }: Asked,
  source: NodeJS.ProcessEnv,
  err: Streams['err'],
  begin: (() => Promise<void>) | undefined,
): Promise<Restored> {
  const env = readSettings(Env, source)
  const { place, name } = splitBackup(from)
  const destination = { write: (line: string) => err(line.trimEnd()) }
  const metrics = createMetrics('restore')
  const storage = await openStorage(
    env,
    createLogger({ name: 'restore', level: 'warn', destination }),
    metrics,
  )
  const store = await openPlace(place, storeKeys(env))
  try {
    const restored = await restoreBackup(
      { store, name },
      {
        database_url: directUrl(env),
        repositories: storage.repositories,
        repositories_dir: env.SVC_REPOSITORIES_DIR,
        objects: storage.objects,
        vault: storage.vault,
        without_secrets: without_secrets ? sealedPlaces : undefined,
        sealer: gatewaySealer(env),
        version: manifest.version,
        metrics,
        marks_file: join(env.SVC_REPOSITORIES_DIR, marksFile),
        marks_folder: env.SVC_REPOSITORIES_DIR,
        migrateSchema: () => migrateSchema(env),
        runChecks: async () =>
          (await lookForFindings({ project_id: null, repair: false }, source, err)).length,
        begin,
        progress: (step) => err(step),
      },
    )
    if (resume) await open(directUrl(env))
    return restored
  } finally {
    store.close()
    await storage.close()
  }
}

async function open(database_url: string): Promise<void> {
  const db = createDatabase(database_url, { max: 1 })
  try {
    await maintenance.replace(db, { ...(await maintenance.read(db)), mode: 'off', message: null })
  } finally {
    await db.destroy()
  }
}

function linesOf(
  { rows_at, sessions_stopped, triggers_missed, keys_lost, findings }: Restored,
  { resume }: Asked,
): string[] {
  return [
    `Restored as of ${rows_at.toISOString()}: ${counted(sessions_stopped, 'session')} that ran stopped, ${counted(triggers_missed, 'slot')} of triggers missed`,
    ...(keys_lost === 0
      ? []
      : [
          'All that the lost master key sealed is gone: secrets, second factors, sign-ins, and what connections and channels sign in with',
        ]),
    ...(findings === null || findings === 0
      ? []
      : [`Checks found ${findings} differences; see them with doctor`]),
    resume
      ? 'The platform is open.'
      : 'The platform is read-only until you have looked: svc admin maintenance off opens it.',
  ]
}
