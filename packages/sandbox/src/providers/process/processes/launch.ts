import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { toSandboxError } from '../../../sandbox-error.ts'

/** The descriptors of a launched sandbox's first process, beside standard input and output. */
export const statusFd = 3
export const gateFd = 4
export const argumentsFd = 5
/** The filter of system calls, where there is one. */
export const seccompFd = 6
/** The socket that the daemon answers on, where it has a network of its own. */
export const listenFd = 7

export interface LaunchCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Sent through a pipe, because every user of the machine can read a command line. */
  readonly secret_args: readonly string[] | null
  /** The filter of system calls for bubblewrap to set; null without one. */
  readonly seccomp: Buffer | null
}

export interface Launched {
  readonly pid: number
  /** Resolves when the process has ended, while this platform lives. */
  readonly ended: Promise<void>
  /** The process does nothing until this is called, and ends when this platform is gone before. */
  begin(): void
  /** The sandbox waits before its first command until this is called, or until this platform is gone. */
  open(): void
}

export async function launch(
  command: LaunchCommand,
  files: { readonly output: number; readonly status: number; readonly listener: number | null },
  uid: number | null,
): Promise<Launched> {
  const stdio: (number | 'ignore' | 'pipe')[] = [
    'ignore',
    files.output,
    files.output,
    files.status,
    'pipe',
    'pipe',
    command.seccomp === null ? 'ignore' : 'pipe',
  ]
  if (files.listener !== null) stdio.push(files.listener)
  const child = spawn(command.file, [...command.args], {
    cwd: command.cwd,
    env: { ...command.environment },
    detached: true,
    stdio,
    ...(uid === null ? {} : { uid, gid: uid }),
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await once(child, 'spawn').catch((error: unknown) => {
    throw toSandboxError(error, `Starting ${command.file}`)
  })
  const args = pipeOf(child, argumentsFd)
  const secrets = (command.secret_args ?? []).map((argument) => `${argument}\0`).join('')
  const gate = pipeOf(child, gateFd)
  const filter = command.seccomp === null ? null : pipeOf(child, seccompFd)
  child.unref()
  return {
    pid: child.pid ?? 0,
    ended,
    begin: () => {
      if (filter !== null) endPipe(filter, command.seccomp ?? '')
      endPipe(args, secrets)
    },
    open: () => endPipe(gate, '\n'),
  }
}

/** Closed as soon as it is written, so that no pipe keeps the platform from ending. */
function endPipe(pipe: Writable, content: string | Buffer): void {
  pipe.end(content, () => pipe.destroy())
}

function pipeOf(child: ChildProcess, fd: number): Writable {
  const pipe = child.stdio[fd]
  if (pipe === null || pipe === undefined || !('end' in pipe)) throw new Error(`Descriptor ${fd} is no pipe.`)
  /** A process that ends before it has read is told by its exit status. */
  pipe.on('error', () => undefined)
  return pipe
}
