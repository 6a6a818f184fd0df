import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { bundledCli } from './bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly input?: string
}

export interface Running {
  readonly child: ChildProcess
  readonly result: Promise<Result>
}

/** The bundled command in a folder of its own, with a home and a working directory. They go with the test file. */
export interface BuiltCli {
  readonly folder: string
  readonly launcher: string
  readonly work: string
  readonly config_file: string
  start(args: readonly string[], options?: RunOptions): Running
  run(args: readonly string[], options?: RunOptions): Promise<Result>
}

export async function buildCli(): Promise<BuiltCli> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  await Promise.all(['bin', 'home', 'work'].map((name) => mkdir(join(folder, name))))
  await copyFile(join(root, 'bin/svc.mjs'), join(folder, 'bin/svc.mjs'))
  await cp(await bundledCli(), join(folder, 'dist'), { recursive: true })
  const launcher = join(folder, 'bin/svc.mjs')
  const work = join(folder, 'work')

  function start(args: readonly string[], options: RunOptions = {}): Running {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: options.cwd ?? work,
      env: { PATH: process.env['PATH'], HOME: join(folder, 'home'), ...options.env },
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    const result = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
      ([stdout, stderr, [code]]): Result => ({
        code: typeof code === 'number' ? code : null,
        stdout,
        stderr,
      }),
    )
    return { child, result }
  }

  return {
    folder,
    launcher,
    work,
    config_file: join(folder, 'home/.config/svc/config.json'),
    start,
    run: (args, options) => start(args, options).result,
  }
}
