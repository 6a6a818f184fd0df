import { execFile } from 'node:child_process'

export interface GitResult {
  readonly ok: boolean
  readonly stdout: string
  readonly stderr: string
}

export type Git = (...args: string[]) => Promise<GitResult>

/** As long as the platform waits for a clone. One whose network stands still is given up much sooner. */
const timeoutMs = 30 * 60_000

/** Git in the workspace, that never asks a terminal and never waits for ever. `more` is for its environment. */
export function createGit(
  workspace: string,
  home: string,
  more: Readonly<Record<string, string>> = {},
  timeout: number = timeoutMs,
): Git {
  const env = { ...gitEnvironment(home), ...more }
  const options = { cwd: workspace, env, timeout, maxBuffer: 64 * 1024 * 1024 }
  return (...args) =>
    new Promise((resolve) => {
      execFile('git', args, options, (error, stdout, stderr) => {
        resolve({ ok: error === null, stdout, stderr: stderr === '' && error ? error.message : stderr })
      })
    })
}

export function gitEnvironment(home: string): Record<string, string> {
  return {
    ...networkSettings(),
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // A git that only looks holds no lock that the agent's own git would meet.
    GIT_OPTIONAL_LOCKS: '0',
  }
}

/** A sandbox behind a proxy, or with its own certificates, reaches the origin only with these. */
function networkSettings(): Record<string, string> {
  const needed = /^((https?|no|all)_proxy|SSL_CERT_(FILE|DIR)|GIT_SSL_CA(INFO|PATH))$/i
  const entries = Object.entries(process.env).filter(([name]) => needed.test(name))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export class GitError extends Error {
  readonly transient: boolean
  constructor(operation: string, stderr: string) {
    super(`${operation}: ${lastLines(stderr)}`)
    this.name = 'GitError'
    this.transient = isTransient(stderr)
  }
}

/** The words in which git says that asking again is of no use. */
const permanent = [
  /repository .* not found/i,
  /returned error: (400|401|403|404|410)/i,
  /authentication failed/i,
  /does not appear to be a git repository/i,
  /permission denied/i,
  /no space left on device/i,
  /would be overwritten/i,
  /unsupported protocol|transport .* not allowed/i,
]

export function isTransient(stderr: string): boolean {
  return !permanent.some((words) => words.test(stderr))
}

function lastLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
  return lines.slice(-4).join('\n').slice(0, 1000) || 'git failed'
}

/** Throws with git's own words unless it succeeded. */
export async function must(operation: string, result: Promise<GitResult>): Promise<string> {
  const { ok, stdout, stderr } = await result
  if (!ok) throw new GitError(operation, stderr)
  return stdout.trim()
}
