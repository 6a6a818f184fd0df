import { tmpdir } from 'node:os'
import { gitEnvironment } from '../runner/environment.ts'
import { GitError } from '../runner/git-error.ts'
import { Runner, type RunOptions } from '../runner/runner.ts'

/** A git that knows nothing of the machine's own configuration and may reach local remotes. */
export const testRunner = new Runner({
  environment: {
    ...gitEnvironment('/nonexistent'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ALLOW_PROTOCOL: 'file:http',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@svc.invalid',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@svc.invalid',
  },
  directory: tmpdir(),
  concurrency: 8,
})

/** Runs git for a test and gives its output; throws when git fails. */
export async function testGit(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const result = await testRunner.run(args, options)
  if (result.exit_code !== 0) throw new GitError(args.join(' '), result.exit_code, result.stderr)
  return result.stdout.toString('utf8').trim()
}
