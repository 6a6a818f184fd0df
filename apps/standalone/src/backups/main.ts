import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { giveWay, runBackupCommand, runRestoreCommand } from '@svc/api'
import { createLogger } from '@svc/boot'
import { reachEmbeddedPostgres, startEmbeddedPostgres } from '@svc/db/embedded'
import { openDataDir } from '../data-dir.ts'
import { readEnv } from '../env.ts'
import { gatewayKeySettings, masterKeySettings } from '../master-key.ts'
import { loadSettingsFile } from '../settings-file.ts'
import { dataEnv } from './data-env.ts'
import { keysOfRestore } from './restore-keys.ts'

// Run by `svc self-host backup` and `restore`: the operator's commands on the data of this machine.
const [verb, ...words] = process.argv.slice(2)
/** Flags of `restore` that are for this program; the others are the command's own. */
const ofKeys = { 'master-key-file': { type: 'string' }, 'gateway-key-file': { type: 'string' } } as const
const line = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`)
const streams = { out: line(process.stdout), err: line(process.stderr) }
const mirrors = await mkdtemp(join(tmpdir(), 'svc-backups-'))
process.once('exit', () => rmSync(mirrors, { recursive: true, force: true }))
// The server that was started for this command ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  process.umask(0o077)
  loadSettingsFile(process.env.SVC_DATA_DIR)
  process.exitCode = await (verb === 'restore' ? restore() : backup())
} catch (error) {
  streams.err(`${verb}: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function open() {
  const env = readEnv(process.env)
  const destination = { write: (text: string) => streams.err(text.trimEnd()) }
  const log = createLogger({ name: 'backups', level: 'error', destination })
  return { env, log, data: await openDataDir(env.SVC_DATA_DIR, log) }
}

/** Beside a platform that runs, and without one on a server that is there for as long as it takes. */
async function backup(): Promise<number> {
  await giveWay()
  const { env, log, data } = await open()
  const server =
    env.DATABASE_URL === undefined ? await reachEmbeddedPostgres({ data_dir: data.database, log }) : null
  try {
    const keys = {
      master: masterKeySettings(data.master_key),
      gateway: gatewayKeySettings(data.gateway_key).SVC_GATEWAY_MASTER_KEY,
    }
    const database_url = env.DATABASE_URL ?? server?.connection_string ?? ''
    return await runBackupCommand(words, dataEnv(env, data, keys, { database_url, mirrors }), streams)
  } finally {
    await server?.close()
  }
}

async function restore(): Promise<number> {
  const { values, tokens } = parseArgs({
    args: words,
    options: { from: { type: 'string' }, ...ofKeys },
    ...{ strict: false, tokens: true },
  })
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.replaceAll('-', '_'), value]] : [],
    ),
  )
  const rest = tokens.flatMap((token) =>
    token.kind === 'option' && !(token.name in ofKeys)
      ? [token.rawName, ...(token.value === undefined ? [] : [token.value])]
      : [],
  )
  const { env, log, data } = await open()
  const keys = await keysOfRestore(env, data, { from: '', ...given })
  const server =
    env.DATABASE_URL === undefined ? await startEmbeddedPostgres({ data_dir: data.database, log }) : null
  try {
    const database_url = env.DATABASE_URL ?? server?.connection_string ?? ''
    const source = dataEnv(env, data, keys, { database_url, mirrors })
    return await runRestoreCommand(rest, source, streams, keys.keep)
  } finally {
    await server?.close()
  }
}
