import { parseArgs } from 'node:util'
import { masterKeyFile, openPlace, placeUrl, runBackup } from '@svc/backup'
import { createLogger, readSettings } from '@svc/boot'
import {
  directUrl,
  openPlatform,
  platformEnv,
  runOperatorCommand,
  storeKeys,
  type Streams,
} from '@svc/platform'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { sealedPlaces } from '../sealed-places.ts'

const usage = `backup --to <folder | s3://bucket/prefix>   writes rows, repositories and objects into a new folder there, while the platform runs
       --since <backup>       links what did not change since that backup of the same place; the newest when left out
       --with-master-key      puts the master keys into it as well, that of the gateway included
       --json                 prints what was written as JSON`

const options = {
  to: { type: 'string' },
  since: { type: 'string' },
  'with-master-key': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const Env = z.object(platformEnv)

/** The operator's `backup …`. Resolves with the exit code: 0 done, 1 not, 2 misused. */
export function runBackupCommand(
  words: readonly string[],
  source: NodeJS.ProcessEnv,
  streams: Streams,
): Promise<number> {
  const run = async (asked: Asked) => ({ result: await take(asked, source, streams.err) })
  return runOperatorCommand({ name: 'backup', usage, parse, run, linesOf }, words, streams)
}

interface Asked {
  readonly to: string
  readonly since: string | null
  readonly with_master_key: boolean
  readonly json: boolean
}

function parse(words: readonly string[]): Asked | null {
  const { values } = parseArgs({ args: [...words], options })
  const { to, since = null, 'with-master-key': with_master_key = false, json = false } = values
  return to === undefined ? null : { to, since, with_master_key, json }
}

interface Written {
  readonly name: string
  readonly target: string
  readonly bytes: number
  readonly repositories: number
  readonly missing_repositories: readonly string[]
  readonly has_master_key: boolean
}

async function take(
  { to, since, with_master_key }: Asked,
  source: NodeJS.ProcessEnv,
  err: Streams['err'],
): Promise<Written> {
  const env = readSettings(Env, source)
  const destination = { write: (line: string) => err(line.trimEnd()) }
  const platform = await openPlatform(env, createLogger({ name: 'backup', level: 'warn', destination }))
  try {
    const parts = { ...platform.ctx, places: sealedPlaces, version: manifest.version }
    const target = placeUrl(to)
    const outcome = await runBackup({ ...parts, read_url: directUrl(env) }, platform.locks, {
      open: () => openPlace(to, storeKeys(env)),
      target,
      since,
      master_key: with_master_key ? env.SVC_MASTER_KEY : undefined,
      gateway_key: with_master_key ? env.SVC_GATEWAY_MASTER_KEY : undefined,
    })
    if (outcome.kind !== 'done') throw new Error('Another backup is being taken; wait for its end')
    const { name, taken } = outcome
    return {
      name,
      target,
      bytes: taken.bytes,
      repositories: taken.manifest.repositories.length,
      missing_repositories: taken.missing,
      has_master_key: with_master_key,
    }
  } finally {
    await platform.close()
  }
}

function linesOf({
  name,
  target,
  bytes,
  repositories,
  missing_repositories,
  has_master_key,
}: Written): string[] {
  return [
    `${name} in ${target}: ${bytes} bytes, ${repositories} repositories`,
    ...missing_repositories.map(
      (project_id) =>
        `The repository of project ${project_id} is not in it, since it is not there or damaged: run doctor`,
    ),
    has_master_key
      ? `The master key is in it (${masterKeyFile}): every reader of the backup reads every secret.`
      : 'The master key is not in it: keep it elsewhere, since no secret is read without it.',
  ]
}
