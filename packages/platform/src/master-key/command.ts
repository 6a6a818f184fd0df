import { readSettings, SettingsError } from '@svc/boot'
import type { SealedPlace } from '@svc/context'
import { createDatabase } from '@svc/db'
import { type Vault, VaultError } from '@svc/vault'
import { z } from 'zod'
import { type KeyUse, keyUses, type Rewrapped, rewrapDataKeys } from './rewrap.ts'
import { platformEnv } from '../env.ts'
import { masterKeyEnv, openVault } from './env.ts'

interface Streams {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

const Env = z.object({ DATABASE_URL: platformEnv.DATABASE_URL, ...masterKeyEnv })
const usage = `master-key status   which master keys seal the data keys of the database
master-key rotate   seals all of them with SVC_MASTER_KEY; may run beside the platform, and again after it was ended`

/** The operator's `master-key …`, over `places`. Resolves with the exit code: 0 when SVC_MASTER_KEY alone opens everything. */
export async function runMasterKeyCommand(
  words: readonly string[],
  source: NodeJS.ProcessEnv,
  places: readonly SealedPlace[],
  { out, err }: Streams,
): Promise<number> {
  const [verb, ...more] = words
  if ((verb !== 'status' && verb !== 'rotate') || more.length > 0) {
    err(usage)
    return 2
  }
  const opened = open(source)
  if (typeof opened === 'string') {
    err(`master-key: ${opened}`)
    return 1
  }
  const { url, vault } = opened
  const db = createDatabase(url, { max: 2 })
  try {
    if (verb === 'rotate') {
      const progress = (table: string, rows: number) => out(`${table}: ${rows} sealed again`)
      for (const line of linesOf(await rewrapDataKeys({ db, vault, places, progress }))) out(line)
    }
    const uses = await keyUses({ db, places })
    for (const { table, key_id, rows } of uses) out(`${table}: ${rows} sealed with ${key_id}`)
    return conclude(uses, vault.key_id, out)
  } finally {
    await db.destroy()
  }
}

function open(source: NodeJS.ProcessEnv): { url: string; vault: Vault } | string {
  try {
    const env = readSettings(Env, source)
    return { url: env.DATABASE_URL, vault: openVault(env) }
  } catch (error) {
    if (error instanceof SettingsError || error instanceof VaultError) return error.message
    throw error
  }
}

function linesOf({ rewrapped, unopenable }: Rewrapped): string[] {
  const stuck = unopenable.map(({ table, id, reason }) => `${table} ${id} is left as it is: ${reason}`)
  return [`${rewrapped} data keys are sealed anew`, ...stuck]
}

function conclude(uses: readonly KeyUse[], key_id: string, out: (line: string) => void): number {
  const others = uses.filter((use) => use.key_id !== key_id)
  const left = others.reduce((sum, { rows }) => sum + rows, 0)
  const names = [...new Set(others.map((use) => use.key_id))].join(', ')
  out(
    left === 0
      ? `0 left: ${key_id} opens everything`
      : `${left} left that ${key_id} does not open, but ${names}: keep those keys, and run "master-key rotate" once every process seals with ${key_id}`,
  )
  return left === 0 ? 0 : 1
}
