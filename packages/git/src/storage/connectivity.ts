import { type Repository, tryGit } from '../repository.ts'

/** Git's words on an object that a reference needs and that is gone; null while all of them are there. */
export async function connectivityProblem(repository: Repository): Promise<string | null> {
  const { exit_code, stderr } = await tryGit(repository, ['rev-list', '--objects', '--all', '--quiet'])
  if (exit_code === 0) return null
  const [first = ''] = stderr.trim().split('\n')
  return first.replace(/^(fatal|error): /, '').slice(0, 300) || `git ended with ${exit_code}`
}
