import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, ProjectParams, refusals, Sha } from '../kit/common.ts'
import { CommitSha, FilePath, FolderPath, ProjectId } from '../kit/parameters.ts'
import { Commit, CommitChanges, Comparison } from './change-request-records.ts'
import { ManifestAt } from './manifest.ts'

export { Commit, CommitChanges, Comparison, ManifestAt }

const common = { tags: ['Repository'] }
const ref = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .openapi({ description: 'A branch; defaults to the default branch' })

const otherRef = z.string().min(1).max(255).openapi({ description: 'A branch' })

export const FileEntry = z
  .object({
    path: z.string(),
    name: z.string().openapi({ description: 'The last part of the path' }),
    type: z.enum(['file', 'directory', 'symlink', 'submodule']),
    mode: z.string().openapi({ description: 'As git has it, such as `100644`' }),
    sha: Sha,
    size: z.int().nullable(),
  })
  .openapi('FileEntry')

export const Branch = z.object({ name: z.string(), sha: Sha, is_default: z.boolean() }).openapi('Branch')

export const listFiles = createRoute({
  ...common,
  operationId: 'listFiles',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'List a folder of the repository',
  description:
    'One level of it, read from git at that moment. 400 `REF_NOT_FOUND` for a branch that is not there.',
  method: 'get',
  path: '/v1/projects/{project_id}/files',
  request: { params: ProjectParams, query: z.object({ ref, path: FolderPath }) },
  responses: {
    200: json(z.object({ ref: z.string(), entries: z.array(FileEntry) }), 'Entries'),
    ...refusals(400, 403, 404),
  },
})

export const readFile = createRoute({
  ...common,
  operationId: 'readFile',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'Read a file of the repository',
  description: '`content` is text, or base64 when `encoding` says so. 413 for a file that is too large.',
  method: 'get',
  path: '/v1/projects/{project_id}/files/content',
  request: { params: ProjectParams, query: z.object({ ref, path: FilePath }) },
  responses: {
    200: json(
      z
        .object({
          path: z.string(),
          sha: Sha,
          size: z.int(),
          encoding: z.enum(['utf-8', 'base64']),
          content: z.string(),
        })
        .openapi('FileContent'),
      'The file',
    ),
    ...refusals(400, 403, 404, 413),
  },
})

export const listCommits = createRoute({
  ...common,
  operationId: 'listCommits',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'List commits of a branch, newest first',
  description:
    '`next_cursor` is the `cursor` of the next page, and absent on the last. With `not` only those that this branch does not have.',
  method: 'get',
  path: '/v1/projects/{project_id}/commits',
  request: { params: ProjectParams, query: PageQuery.extend({ ref, not: otherRef.optional() }) },
  responses: {
    200: json(z.object({ commits: z.array(Commit), next_cursor: z.string().optional() }), 'One page'),
    ...refusals(400, 403, 404),
  },
})

export const getCommit = createRoute({
  ...common,
  operationId: 'getCommit',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'Read a commit, with what it changed',
  description:
    'Against its first parent; the first commit of all against nothing. 404 for a commit that no branch holds.',
  method: 'get',
  path: '/v1/projects/{project_id}/commits/{sha}',
  request: { params: z.object({ project_id: ProjectId, sha: CommitSha }) },
  responses: { 200: json(CommitChanges, 'The commit'), ...refusals(400, 403, 404, 413) },
})

export const compareBranches = createRoute({
  ...common,
  operationId: 'compareBranches',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'Diff of two branches',
  description:
    'Three-dot: what `head` changed since it parted from `base`. 404 for a branch that is not there.',
  method: 'get',
  path: '/v1/projects/{project_id}/compare',
  request: {
    params: ProjectParams,
    query: z.object({ base: ref, head: ref, path: FilePath.optional() }),
  },
  responses: { 200: json(Comparison, 'The diff'), ...refusals(400, 403, 404) },
})

export const getManifest = createRoute({
  ...common,
  operationId: 'getManifest',
  ...reachedBy({ capability: 'project.file.read' }),
  summary: 'Read the manifest at a branch, with the verdict on it',
  description:
    'As the merge gate judges it, agents’ files included. Without a manifest `path` is null, and one issue says so.',
  method: 'get',
  path: '/v1/projects/{project_id}/manifest',
  request: { params: ProjectParams, query: z.object({ ref }) },
  responses: { 200: json(ManifestAt, 'The manifest'), ...refusals(400, 403, 404) },
})

export const listBranches = createRoute({
  ...common,
  operationId: 'listBranches',
  ...reachedBy({ capability: 'project.gitops.read' }),
  summary: 'List branches',
  description:
    'With the commit that each points to. The branch of a session has the name of its `session_id`.',
  method: 'get',
  path: '/v1/projects/{project_id}/branches',
  request: { params: ProjectParams },
  responses: { 200: json(z.object({ branches: z.array(Branch) }), 'Branches'), ...refusals(400, 403, 404) },
})
