import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { plain } from '../output/plain.ts'
import { builtProgram } from './built-program.ts'
import { findCompose, projectName } from './compose.ts'
import type { Places } from './places.ts'

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
export async function runBackups(cli: Cli, places: Places, words: readonly string[]): Promise<number> {
  const form = await formOf(cli, places)
  if (form === 'compose') refuseContainers(cli, places, words)
  if (form === null && words[0] === 'backup')
    throw new OperationError(
      `there is nothing to back up in ${places.data}`,
      'SVC_DATA_DIR says where the platform is kept',
    )
  const child = spawn(process.execPath, [await builtProgram(places, 'backups'), ...words], {
    cwd: cli.io.cwd,
    env: { ...cli.io.env, SVC_DATA_DIR: places.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return pass(cli, child)
}

/** Containers have no program of this checkout; the same command is in the image of the services. */
function refuseContainers({ io }: Cli, places: Places, words: readonly string[]): never {
  const folder = words[0] === 'backup' ? (words[2] ?? '') : dirname(words[2] ?? '')
  const mount = folder.startsWith('s3:') ? '' : ` --volume '${folder}:${folder}'`
  const compose = `docker compose -p ${projectName(io.env)} --env-file ${places.compose_env} -f ${join(places.checkout, 'infra/compose/compose.yaml')}`
  throw new OperationError(
    `the platform of ${places.data} runs as containers, which have this command of their own`,
    `while they run, with a folder that the user of the services (SVC_UID) may write:\n  ${compose} run --rm --no-deps${mount} api node apps/api/dist/main.js ${words.join(' ').replace(/ --(master|gateway)-key-file .*/, '')}`,
  )
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
