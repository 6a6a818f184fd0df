import { branchName } from '@svc/change-request'
import { requireProject } from '@svc/context'
import { limits } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import * as git from '@svc/git'
import { openRepository } from '../projects/repository.ts'
import { openAt, type ReadContext, tipOf } from './open-at.ts'

/** Files over this are for git clients. */
const maxFileBytes = 5 * 1024 * 1024

export async function listFiles(
  ctx: ReadContext,
  input: { project_id: string; ref?: string | undefined; path: string },
) {
  const { repository, ref, sha } = await openAt(ctx, input)
  const entries = sha === null ? [] : await git.listFiles(repository, { ref: sha, path: input.path })
  if (entries === null)
    throw new ServiceError(
      'not_found',
      `There is no folder ${JSON.stringify(input.path)} on ${ref}; list the folder above it`,
    )
  return { ref, entries }
}

export async function readFile(
  ctx: ReadContext,
  input: { project_id: string; ref?: string | undefined; path: string },
) {
  const { repository, ref, sha } = await openAt(ctx, input)
  const file =
    sha === null
      ? null
      : await git.readFile(repository, { ref: sha, path: input.path, max_bytes: maxFileBytes })
  if (file === null)
    throw new ServiceError(
      'not_found',
      `There is no file ${JSON.stringify(input.path)} on ${ref}; list its folder`,
    )
  const encoding: 'utf-8' | 'base64' = isText(file.content) ? 'utf-8' : 'base64'
  return {
    path: input.path,
    sha: file.blob_sha,
    size: file.size,
    encoding,
    content: file.content.toString(encoding === 'utf-8' ? 'utf8' : 'base64'),
  }
}

export async function listCommits(
  ctx: ReadContext,
  input: {
    project_id: string
    ref?: string | undefined
    /** A branch whose commits are left out. */
    not?: string | undefined
    limit: number
    cursor?: string | undefined
  },
) {
  const { repository, sha } = await openAt(ctx, input)
  if (sha === null) return { commits: [] }
  const page = await git.listCommits(repository, {
    ref: sha,
    limit: input.limit,
    after: input.cursor,
    not: input.not === undefined ? undefined : await tipOf(repository, branchName(input.not)),
  })
  const commits = page.commits.map(presentCommit)
  return { commits, ...(page.next_cursor === null ? {} : { next_cursor: page.next_cursor }) }
}

/** A commit that a branch of the project holds, with what it changed. */
export async function getCommit(ctx: ReadContext, input: { project_id: string; sha: string }) {
  const project = await requireProject(ctx, input.project_id, 'project.file.read')
  const repository = await openRepository(ctx, project)
  const request = { commit_sha: input.sha, max_patch_bytes: limits.patchBytes }
  const shown = await git.showCommit(repository, request)
  if (shown === null)
    throw new ServiceError(
      'not_found',
      `No branch of this project holds the commit ${input.sha}; list the commits of a branch to find one`,
    )
  const { commit, ...changes } = shown
  return { commit: presentCommit(commit), ...changes }
}

export async function listBranches(ctx: ReadContext, input: { project_id: string }) {
  const project = await requireProject(ctx, input.project_id, 'project.gitops.read')
  const branches = await git.tips(await openRepository(ctx, project))
  return {
    branches: [...branches].map(([name, sha]) => ({
      name,
      sha,
      is_default: name === project.default_branch,
    })),
  }
}

function presentCommit({ commit_sha, parents, author, message }: git.Commit) {
  return { sha: commit_sha, parents: [...parents], author, message }
}

function isText(content: Buffer): boolean {
  return !content.includes(0) && Buffer.from(content.toString('utf8')).equals(content)
}
