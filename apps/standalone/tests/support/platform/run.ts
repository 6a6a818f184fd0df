import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** Runs a program to its end with an environment of its own: nothing of the test's but the way to programs. */
export async function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Result> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...options.env },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  const [stdout, stderr, closed] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close'),
  ])
  const code: unknown = closed[0]
  return {
    code: typeof code === 'number' ? code : null,
    stdout: stdout.toString('utf8'),
    stderr: stderr.toString('utf8'),
  }
}

/** The same for a command that must work: its output, or an error with its own words. */
export async function output(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options)
  if (code === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}: ${stderr || stdout}`)
}
