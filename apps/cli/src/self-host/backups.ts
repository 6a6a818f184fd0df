import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { plain } from '../output/plain.ts'
import { builtProgram } from './built-program.ts'
import { findCompose } from './compose.ts'
import { withKeysOf } from './compose-keys.ts'
import { workInContainer } from './container-backups.ts'
import type { Places } from './places.ts'

export interface AskedBackup {
  readonly verb: 'backup' | 'restore'
  /** Flags of the platform's own command. */
  readonly words: readonly string[]
  /** The folder or bucket of backups, or the one backup to restore. */
  readonly place: string
  /** Into containers, where neither form was ever started on the data folder. */
  readonly compose: boolean
  readonly build: boolean
  readonly key_files: { readonly master?: string | undefined; readonly gateway?: string | undefined }
}

type Form = 'process' | 'compose'

/** The form of the platform that the data folder holds; null where none was ever started on it. */
async function formOf(cli: Cli, places: Places): Promise<Form | null> {
  const there = (path: string) =>
    access(join(places.data, path)).then(
      () => true,
      () => false,
    )
  const as_process = (await there('postgres')) || (await there('repositories'))
  if (!(await there('compose.env'))) return as_process ? 'process' : null
  if (!as_process) return 'compose'
  const running = await (await findCompose(cli.io.env, places))?.running()
  return running?.includes('postgres') ? 'compose' : 'process'
}

/** Has the platform's own command work on the data of this machine; its lines are this command's. Returns its exit code. */
export async function runBackups(cli: Cli, places: Places, asked: AskedBackup): Promise<number> {
  const form = await formOf(cli, places)
  const { verb, place } = asked
  if (form === 'compose' || (asked.compose && form === null)) {
    const folder = place.startsWith('s3://') ? null : verb === 'backup' ? place : dirname(place)
    const work = { verb, folder, words: [verb, ...asked.words] }
    const run = () => workInContainer(cli, places, work, (child) => pass(cli, child))
    return verb === 'restore' ? withKeysOf(cli, places, asked, run) : run()
  }
  if (asked.compose)
    throw new OperationError(
      `${places.data} holds a platform in one process`,
      'leave --compose out, or restore into a data folder of its own (SVC_DATA_DIR)',
    )
  if (form === null && verb === 'backup')
    throw new OperationError(
      `there is nothing to back up in ${places.data}`,
      'SVC_DATA_DIR says where the platform is kept',
    )
  const { master, gateway } = asked.key_files
  const words = [
    ...[verb, ...asked.words],
    ...(master === undefined ? [] : ['--master-key-file', master]),
    ...(gateway === undefined ? [] : ['--gateway-key-file', gateway]),
  ]
  const child = spawn(process.execPath, [await builtProgram(places, 'backups'), ...words], {
    cwd: cli.io.cwd,
    env: { ...cli.io.env, SVC_DATA_DIR: places.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return pass(cli, child)
}

/** The exit code, once all was printed. Ctrl-C is the child's as well, which ends by itself. */
async function pass({ io, out }: Cli, child: ChildProcess): Promise<number> {
  const undo = io.onInterrupt(() => void child.kill('SIGINT'))
  const ended = once(child, 'close')
  const lines = async (stream: ChildProcess['stdout'], print: (line: string) => void) => {
    if (stream !== null) for await (const line of createInterface({ input: stream })) print(plain(line))
  }
  try {
    await Promise.all([
      lines(child.stdout, (line) => out.line(line)),
      lines(child.stderr, (line) => out.note(line)),
    ])
    const [code] = await ended
    return typeof code === 'number' ? code : 1
  } catch (cause) {
    throw new OperationError('the platform’s command could not be run', undefined, { cause })
  } finally {
    undo()
  }
}
