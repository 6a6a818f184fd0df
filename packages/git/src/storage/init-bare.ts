import { randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Repository } from '../repository.ts'

/**
 * Makes sure of a bare repository. It appears whole or not at all, even when another process makes it at the same
 * time.
 */
export async function initBare(
  { runner, git_dir, signal }: Pick<Repository, 'runner' | 'git_dir' | 'signal'>,
  head_ref: string,
): Promise<void> {
  if (!(await isRepository(git_dir))) {
    const draft = join(dirname(git_dir), `draft-${randomUUID()}`)
    await mkdir(draft, { recursive: true })
    await runner.simple(draft, signal).raw('init', '--bare', '--quiet').raw('symbolic-ref', 'HEAD', head_ref)
    await rename(draft, git_dir).catch(() => rm(draft, { recursive: true, force: true }))
  }
  const head = await readFile(join(git_dir, 'HEAD'), 'utf8')
  if (head.trim() !== `ref: ${head_ref}`)
    await runner.simple(git_dir, signal).raw('symbolic-ref', 'HEAD', head_ref)
}

export async function isRepository(git_dir: string): Promise<boolean> {
  return access(join(git_dir, 'HEAD')).then(
    () => true,
    () => false,
  )
}
