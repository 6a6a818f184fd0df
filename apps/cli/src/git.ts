import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { OperationError } from './failures.ts'

export interface GitResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Git's own progress goes to this terminal. */
  readonly show_progress?: boolean
}

/** Runs the machine's git, with the person's own configuration, in a folder. */
export async function git(
  cwd: string,
  args: readonly string[],
  { env = {}, show_progress = false }: GitOptions = {},
): Promise<GitResult> {
  const child = spawn('git', args, {
    cwd,
    env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...env },
    stdio: ['ignore', 'pipe', show_progress ? 'inherit' : 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new OperationError('git does not run here', 'install git', { cause })),
    )
    child.once('close', resolve)
  })
  const [code, stdout, stderr] = await Promise.all([
    ended,
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** The output of a command that must succeed, without its last line break. */
export async function gitText(cwd: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await git(cwd, args)
  if (code !== 0) throw new OperationError(`git ${args[0]} failed: ${stderr.trim() || `exit code ${code}`}`)
  return stdout.replace(/\n$/, '')
}

/** The output, or null where git says no. */
export async function gitMaybe(cwd: string, args: readonly string[]): Promise<string | null> {
  const { code, stdout } = await git(cwd, args)
  return code === 0 ? stdout.replace(/\n$/, '') : null
}
