import type { ChildProcess } from 'node:child_process'
import { chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { waitingFor } from '../output/spinner.ts'
import { type Compose, openCompose } from './compose.ts'
import { composeStep } from './compose-step.ts'
import type { Places } from './places.ts'
import { readSettings } from './settings.ts'

const pauseMs = 500
/** A database that was not ended well recovers first. */
const maxMs = 5 * 60_000

export interface ContainerWork {
  readonly words: readonly string[]
  /** The folder of this machine that the command works in; null for a bucket. */
  readonly folder: string | null
  readonly verb: 'backup' | 'restore'
}

/** Has a container of its own do it, beside services that run; of a stack that is stopped the database alone is started for it. */
export async function workInContainer(
  cli: Cli,
  places: Places,
  { words, folder, verb }: ContainerWork,
  pass: (child: ChildProcess) => Promise<number>,
): Promise<number> {
  const compose = await openCompose(cli.io.env, places)
  const running = await compose.running()
  if (running === null)
    throw new OperationError(
      'compose does not tell which containers run',
      'look whether Docker runs; `svc self-host start --compose` writes anew what compose reads',
    )
  if (verb === 'restore' && running.includes('api'))
    throw new OperationError(
      'these containers run, and a restore needs an empty platform',
      'svc self-host stop; then restore into a data folder of its own (SVC_DATA_DIR), with a COMPOSE_PROJECT_NAME of its own',
    )
  const settings = await readSettings(places.compose_env)
  await openFolder(join(places.compose_data, 'mirrors/operator'), 'backup', settings)
  if (folder !== null) await openFolder(folder, verb, settings)
  const is_stopped = !running.includes('postgres')
  if (is_stopped) await startDatabase(cli, compose)
  try {
    const mounts = folder === null ? [] : ['--volume', `${folder}:${folder}`]
    const command = ['operator', 'node', 'apps/api/dist/main.js', ...words]
    return await pass(compose.spawn('run', '--rm', '--no-deps', '-T', ...mounts, ...command))
  } finally {
    if (is_stopped) await compose.run('stop')
  }
}

async function startDatabase(cli: Cli, compose: Compose): Promise<void> {
  await composeStep(cli, compose, 'Starting the database', 'up', '--detach', '--no-build', 'postgres')
  const answers = ['exec', '-T', 'postgres', 'pg_isready', '--host', '127.70.0.11', '--username', 'svc']
  await waitingFor(cli, 'Waiting for the database', ready(compose, answers))
}

async function ready(compose: Compose, answers: readonly string[]): Promise<void> {
  for (const give_up = Date.now() + maxMs; (await compose.run(...answers)).code !== 0; await sleep(pauseMs))
    if (Date.now() > give_up)
      throw new OperationError('the database does not answer', 'svc self-host logs database')
}

/** The services run as a user of their own, where root starts them: a new folder is theirs, one of others is not taken away. */
async function openFolder(
  folder: string,
  verb: ContainerWork['verb'],
  { SVC_UID: uid = '', SVC_GID: gid = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  if (
    verb === 'backup' &&
    (await mkdir(folder, { recursive: true })) !== undefined &&
    process.getuid?.() === 0
  )
    await chown(folder, Number(uid), Number(gid))
  const found = await stat(folder)
  const needed = verb === 'backup' ? 0o7 : 0o5
  if (String(found.uid) === uid || (found.mode & needed) === needed) return
  throw new OperationError(
    `the services run as user ${uid}, who may not ${verb === 'backup' ? 'write into' : 'read'} ${folder}`,
    verb === 'backup' ? `chown ${uid}:${gid} '${folder}'` : `chown -R ${uid}:${gid} '${folder}'`,
  )
}
