import type { files as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type { Branch, Commit, CommitChanges, FileContent, FileList, ManifestAt } from '../types.ts'

/** `ref` is a branch and defaults to the project's default branch. */
export interface Files {
  /** One folder; `path` is empty for the root. */
  list(
    project_id: string,
    query?: { path?: string; ref?: string },
    options?: RequestOptions,
  ): Promise<FileList>
  /** `content` is text, or base64 when `encoding` says so. 413 when the file is too large. */
  read(
    project_id: string,
    query: { path: string; ref?: string },
    options?: RequestOptions,
  ): Promise<FileContent>
}

export interface Commits {
  /** Newest first; with `not` only those that this branch does not have. */
  list(
    project_id: string,
    query?: { ref?: string; not?: string; limit?: number; cursor?: string },
    options?: RequestOptions,
  ): Listing<Commit>
  /** Against its first parent. 404 for a commit that no branch holds. */
  get(project_id: string, sha: string, options?: RequestOptions): Promise<CommitChanges>
}

export interface Branches {
  list(project_id: string, options?: RequestOptions): Promise<Branch[]>
}

export interface Manifests {
  /** As its author wrote it, with the verdict of the merge gate. */
  get(project_id: string, query?: { ref?: string }, options?: RequestOptions): Promise<ManifestAt>
}

export function manifests(http: Http): Manifests {
  return {
    get: (project_id, query = {}, options = {}) =>
      http.call<typeof routes.getManifest>('GET /v1/projects/{project_id}/manifest', {
        ...options,
        params: { project_id },
        query,
      }),
  }
}

export function files(http: Http): Files {
  return {
    list: (project_id, query = {}, options = {}) =>
      http.call<typeof routes.listFiles>('GET /v1/projects/{project_id}/files', {
        ...options,
        params: { project_id },
        query,
      }),
    read: (project_id, query, options = {}) =>
      http.call<typeof routes.readFile>('GET /v1/projects/{project_id}/files/content', {
        ...options,
        params: { project_id },
        query,
      }),
  }
}

export function commits(http: Http): Commits {
  return {
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listCommits>('GET /v1/projects/{project_id}/commits', {
          ...options,
          params: { project_id },
          query: { ...query, cursor },
        })
        return { items: page.commits, next_cursor: page.next_cursor ?? null }
      }, query.cursor),
    get: (project_id, sha, options = {}) =>
      http.call<typeof routes.getCommit>('GET /v1/projects/{project_id}/commits/{sha}', {
        ...options,
        params: { project_id, sha },
      }),
  }
}

export function branches(http: Http): Branches {
  return {
    list: async (project_id, options = {}) => {
      const params = { project_id }
      const operation = 'GET /v1/projects/{project_id}/branches'
      return (await http.call<typeof routes.listBranches>(operation, { ...options, params })).branches
    },
  }
}
