import { join } from 'node:path'
import { isApiError } from '@svc/sdk'
import { generate, type Shape } from '../change-requests/generate.ts'
import { git } from '../change-requests/git.ts'
import type { Place, ServedApi } from './place.ts'

export interface Repository {
  readonly project_id: string
  readonly git_dir: string
  /** Branches whose change requests are open. */
  readonly waiting: readonly Waiting[]
}

export interface Waiting {
  readonly cr_id: string
  readonly head: string
}

/** A managed repository with so many change requests, which touch different files. */
export async function openRepository(
  { folder }: Place,
  { client }: ServedApi,
  count: number,
  shape: Shape,
): Promise<Repository> {
  const { project_id } = await client.projects.provision({ name: 'merges', seed_starter: false })
  const git_dir = join(folder, 'api/managed', `${project_id}.git`)
  const none = { open: 0, created: 0, wide: 0, fetched: 0 }
  const { merged } = await generate(git_dir, shape, { ...none, merged: count })
  await git(git_dir, ['update-ref', 'refs/heads/raw', 'main'])
  const waiting: Waiting[] = []
  for (const head of merged) {
    const wish = { title: head, head_ref: head, base_ref: 'main' }
    waiting.push({ cr_id: (await client.projects.changeRequests.create(project_id, wish)).cr_id, head })
  }
  return { project_id, git_dir, waiting }
}

/** A base that moved meanwhile is refused, as a person would see it, who tries again. */
export async function mergeByApi({ client }: ServedApi, project_id: string, cr_id: string): Promise<void> {
  for (;;) {
    try {
      await client.projects.changeRequests.merge(project_id, cr_id)
      return
    } catch (error) {
      if (!(isApiError(error) && error.status === 409)) throw error
    }
  }
}

/** The same into a branch beside the base, by the commands of git alone. */
export async function mergeByGit(git_dir: string, head: string): Promise<void> {
  const tip = await git(git_dir, ['rev-parse', 'refs/heads/raw'])
  const tree = await git(git_dir, ['merge-tree', '--write-tree', tip, head])
  const commit = await git(git_dir, ['commit-tree', '-p', tip, '-p', head, '-m', 'Merge', tree])
  await git(git_dir, ['update-ref', 'refs/heads/raw', commit, tip])
}
