import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { OperationError } from '../failures.ts'
import type { Env } from '../io.ts'
import type { Places } from './places.ts'

export interface CommandResult {
  readonly code: number | null
  readonly output: string
}

/** Drives the stack of containers of this checkout. */
export interface Compose {
  /** Runs a command to its end and keeps its output, on either stream. */
  run(...args: readonly string[]): Promise<CommandResult>
  /** Starts one whose output is read as it comes. */
  spawn(...args: readonly string[]): ChildProcess
  /** The services that run; null when that cannot be told, as without an engine. */
  running(): Promise<readonly string[] | null>
}

/** Kept from the person's environment: a setting of another program must not end up in the stack. */
const passed = /^(PATH|HOME|USER|TERM|LANG|TMPDIR|XDG_.*|DOCKER_.*|COMPOSE_.*|BUILDKIT_.*|.*_proxy|.*_PROXY)$/

/** The name of the stack for compose; another one on the same machine needs another name. */
export function projectName(env: Env): string {
  return env['COMPOSE_PROJECT_NAME'] || 'svc'
}

/** The compose command of this machine: Docker's plugin, or the program of its own. */
export async function openCompose(env: Env, places: Places): Promise<Compose> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)))
  const options = { cwd: places.checkout, env: { DOCKER_BUILDKIT: '1', ...kept } }
  const program = (await answers(['docker', 'compose'], options))
    ? ['docker', 'compose']
    : (await answers(['docker-compose'], options))
      ? ['docker-compose']
      : null
  if (program === null) {
    throw new OperationError(
      'neither `docker compose` nor `docker-compose` runs here',
      'install Docker with its compose plugin; without it leave --compose out',
    )
  }
  const own = join(places.data, 'compose.override.yaml')
  const files = [join(places.checkout, 'infra/compose/compose.yaml'), ...((await isThere(own)) ? [own] : [])]
  const [file = '', ...words] = [
    ...program,
    ...['--ansi', 'never', '--project-name', projectName(env), '--env-file', places.compose_env],
    ...files.flatMap((path) => ['--file', path]),
  ]
  const begin = (args: readonly string[]) =>
    spawn(file, [...words, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })

  async function run(...args: readonly string[]): Promise<CommandResult> {
    const child = begin(args)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { code: typeof code === 'number' ? code : null, output: stdout + stderr }
  }

  return {
    run,
    spawn: (...args) => begin(args),
    async running() {
      const { code, output } = await run('ps', '--services', '--filter', 'status=running')
      if (code !== 0) return null
      return output.split('\n').filter((line) => /^[a-z-]+$/.test(line))
    },
  }
}

/** The stack, if it was ever started; all else that it takes is then there. */
export async function findCompose(env: Env, places: Places): Promise<Compose | null> {
  return (await isThere(places.compose_env)) ? openCompose(env, places).catch(() => null) : null
}

/** The last lines of compose's output, which moves back and forth on some of them. */
export function logTail(output: string, count: number): string[] {
  return output
    .trim()
    .split(/[\r\n]+/)
    .slice(-count)
}

async function answers(
  [file = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string | undefined> },
): Promise<boolean> {
  const child = spawn(file, [...args, 'version'], { ...options, stdio: 'ignore' })
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
