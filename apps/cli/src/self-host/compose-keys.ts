import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { gitMaybe } from '../git.ts'
import type { AskedBackup } from './backups.ts'
import { openCompose } from './compose.ts'
import { writeComposeEnv } from './compose-env.ts'
import { composeStep } from './compose-step.ts'
import type { Places } from './places.ts'
import { readSettings, writeSettings } from './settings.ts'

/** The settings of the stack that hold keys, with their names in a backup. */
const keyNames = { SVC_MASTER_KEY: 'master', SVC_GATEWAY_MASTER_KEY: 'gateway' } as const

/**
 * Restores with the keys that were given or lie in the backup, in a stack whose settings are written for it. They stay where it
 * worked; else those from before come back.
 */
export async function withKeysOf(
  cli: Cli,
  places: Places,
  asked: AskedBackup,
  restore: () => Promise<number>,
): Promise<number> {
  const [before, settings] = await Promise.all([
    readSettings(places.compose_env),
    readSettings(places.settings),
  ])
  const found = await keysIn(asked)
  for (const [name, key] of Object.entries(found))
    if ((settings[name] ?? key) !== key)
      throw new OperationError(
        `${places.settings} has another ${name} than this backup`,
        `svc self-host env set ${name}=`,
      )
  if (found['SVC_MASTER_KEY'] === undefined && before['SVC_MASTER_KEY'] === undefined && needsKey(asked))
    throw new OperationError(
      'the master key of the backup is not in it',
      'give it with --master-key-file; where it is lost, --without-secrets restores the rest',
    )
  await writeSettings(places.compose_env, { ...before, ...found })
  let code: number | null = null
  try {
    const commit = (await gitMaybe(places.checkout, ['rev-parse', 'HEAD'])) ?? 'unknown'
    const values = await writeComposeEnv(places, cli.io.env, commit)
    if (asked.build)
      await composeStep(
        cli,
        await openCompose(cli.io.env, places),
        'Building',
        'build',
        'net',
        'sandbox-image',
      )
    code = await restore()
    if (code === 0)
      cli.out.note(`svc self-host start --compose opens it at ${values['SVC_PUBLIC_URL'] ?? ''}`)
    return code
  } finally {
    const kept = Object.fromEntries(Object.entries(before).filter(([name]) => name in keyNames))
    if (code !== 0)
      await writeSettings(places.compose_env, { ...(await readSettings(places.compose_env)), ...kept })
  }
}

const needsKey = ({ words }: AskedBackup) => !words.includes('--without-secrets')

async function keysIn({ place, key_files }: AskedBackup): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const [name, file] of Object.entries(keyNames)) {
    const given = key_files[file]
    const key = given === undefined ? await keyOfBackup(place, file) : await readFile(given, 'utf8')
    if (key !== null) found[name] = key.trim()
  }
  return found
}

/** One of a bucket is given as a file: this command reads no buckets. */
async function keyOfBackup(place: string, file: string): Promise<string | null> {
  if (place.startsWith('s3://')) return null
  return readFile(join(place, `${file}.key`), 'utf8').catch(() => null)
}
