import { replaceFile } from '@svc/files'
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { handOver, handOverTree, namedOwner, type Owner } from './owner.ts'

export const user = 'svc'

/** Made once, before the cluster; only this user can read it. */
export async function loadOrCreatePassword(data_dir: string): Promise<string> {
  const file = join(data_dir, 'password')
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const password = randomBytes(24).toString('base64url')
  await replaceFile(file, password)
  return password
}

/** initdb works in a draft folder that is renamed when done: a crash leaves nothing that looks like a cluster. */
export async function ensureCluster(
  data_dir: string,
  binaries: Binaries,
  password: string,
  owner: Owner | undefined,
  stopping: AbortSignal,
): Promise<string> {
  const cluster_dir = join(data_dir, 'cluster')
  for (const name of await readdir(data_dir))
    if (name.startsWith('cluster.draft-')) await rm(join(data_dir, name), { recursive: true, force: true })
  if (existsSync(join(cluster_dir, 'PG_VERSION'))) {
    const made_by = (await readFile(join(cluster_dir, 'PG_VERSION'), 'utf8')).trim()
    if (made_by === binaries.major) return cluster_dir
    throw new Error(
      `The data in ${cluster_dir} was made by PostgreSQL ${made_by} and this release carries PostgreSQL ${binaries.major}: ` +
        'dump it with the earlier release and restore it with this one, or choose another data directory.',
    )
  }
  if (existsSync(cluster_dir) && (await readdir(cluster_dir)).length > 0)
    throw new Error(
      `${cluster_dir} holds files that are no PostgreSQL cluster: remove it, or choose another data directory`,
    )
  const draft = join(data_dir, `cluster.draft-${randomUUID()}`)
  const maker = await namedOwner(owner)
  await mkdir(draft, { mode: 0o700 })
  await handOver(draft, 0o700, maker)
  await initialise(draft, binaries, password, maker, stopping)
  if (owner) await handOverTree(draft, owner)
  await rename(draft, cluster_dir)
  return cluster_dir
}

async function initialise(
  draft: string,
  binaries: Binaries,
  password: string,
  owner: Owner | undefined,
  stopping: AbortSignal,
) {
  const password_file = `${draft}.password`.replace('cluster.draft-', 'initdb-')
  await writeFile(password_file, password, { mode: 0o600 })
  await handOver(password_file, 0o600, owner)
  const args = [
    '-D',
    draft,
    '-U',
    user,
    '--auth=scram-sha-256',
    `--pwfile=${password_file}`,
    '--encoding=UTF8',
  ]
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  try {
    await run(join(binaries.native_dir, 'bin', 'initdb'), [...args, ...locale], owner, stopping)
  } finally {
    await rm(password_file, { force: true })
  }
}

async function run(
  command: string,
  args: string[],
  owner: Owner | undefined,
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted()
  const child = spawn(command, args, {
    ...owner,
    cwd: '/',
    env: serverEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const giveUp = () => child.kill('SIGINT')
  stopping.addEventListener('abort', giveUp, { once: true })
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  ).finally(() => stopping.removeEventListener('abort', giveUp))
  stopping.throwIfAborted()
  if (code !== 0)
    throw new Error(`PostgreSQL could not be set up (initdb ended with ${code}): ${output.slice(-2000)}`)
}

/** Neither PG* variables of the operator nor a locale that this machine lacks. */
export const serverEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
