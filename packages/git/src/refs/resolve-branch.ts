import { readRefFiles } from './ref-files.ts'
import { branchRef } from './ref-name.ts'
import { gitText, type Repository } from '../repository.ts'

/** The tip of a branch now, or null when there is no such branch or the name can be none. */
export async function resolveBranch(repository: Repository, name: string): Promise<string | null> {
  const ref = branchRef(name)
  if (ref === null) return null
  const known = await readRefFiles(repository, ref)
  return known === 'unclear' ? askGit(repository, ref) : known
}

async function askGit(repository: Repository, ref: string): Promise<string | null> {
  const lines = await gitText(repository, ['for-each-ref', '--format=%(objectname) %(refname)', ref])
  const line = lines.split('\n').find((each) => each.slice(41) === ref)
  return line === undefined ? null : line.slice(0, 40)
}
