import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** git as a person would run it on the bare repository; gives its output. */
export async function git(
  git_dir: string,
  args: readonly string[],
  input?: string | Iterable<string>,
): Promise<string> {
  const child = spawn('git', args, { env: { ...process.env, GIT_DIR: git_dir, ...author }, stdio: 'pipe' })
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  // A git that gives up early says why at its end.
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  if (input !== undefined) {
    for (const part of typeof input === 'string' ? [input] : input) {
      if (child.exitCode !== null) break
      if (!child.stdin.write(part)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), closed])
    }
  }
  child.stdin.end()
  const [code] = await closed
  if (code !== 0) throw new Error(`git ${args[0]}: ${Buffer.concat(errors).toString('utf8')}`)
  return Buffer.concat(chunks).toString('utf8').trim()
}

const author = {
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@svc.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@svc.invalid',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}
