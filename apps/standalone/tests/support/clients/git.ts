import { output, type Result, run, type RunOptions } from '../platform/run.ts'

const identity = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Person',
  GIT_AUTHOR_EMAIL: 'person@svc.invalid',
  GIT_COMMITTER_NAME: 'Person',
  GIT_COMMITTER_EMAIL: 'person@svc.invalid',
}

export interface GitOptions {
  readonly cwd?: string
  readonly token?: string
  readonly input?: string
}

/** Plain git as on a person's machine; its output, or an error with its words. */
export function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return output('git', args, runOptions(options))
}

export function tryGit(args: readonly string[], options: GitOptions = {}): Promise<Result> {
  return run('git', args, runOptions(options))
}

/** The token travels in the environment: never in a URL, a file or an argument. */
function runOptions({ cwd, token, input }: GitOptions): RunOptions {
  const config: [string, string][] = [['init.defaultBranch', 'main']]
  if (token !== undefined) {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
    config.push(['http.extraHeader', `Authorization: Basic ${basic}`])
  }
  const env: Record<string, string> = { ...identity, GIT_CONFIG_COUNT: String(config.length) }
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return { env, ...(cwd === undefined ? {} : { cwd }), ...(input === undefined ? {} : { input }) }
}
