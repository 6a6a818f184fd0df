import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../repository.ts'

/** The branch that HEAD names, whether or not it has a commit; null when HEAD names none. */
export async function defaultBranch(repository: Repository): Promise<string | null> {
  const head = await readFile(join(repository.git_dir, 'HEAD'), 'utf8').catch(() => '')
  return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1] ?? null
}
