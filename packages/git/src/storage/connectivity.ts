import { type Repository, tryGit } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'

/**
 * Git's words on an object that a reference needs and that is gone; null while all of them are there. Throws where git was ended
 * before it could say.
 */
export async function connectivityProblem(repository: Repository): Promise<string | null> {
  const command = 'rev-list'
  const { exit_code, stderr } = await tryGit(repository, [command, '--objects', '--all', '--quiet'])
  if (exit_code === 0) return null
  if (exit_code === null) throw new GitError(command, exit_code, stderr)
  const [first = ''] = stderr.trim().split('\n')
  return first.replace(/^(fatal|error): /, '').slice(0, 300) || `git ended with ${exit_code}`
}
