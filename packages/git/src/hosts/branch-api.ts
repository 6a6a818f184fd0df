import type { ApiAnswer, ApiRequest } from './api-request.ts'

export type HostBranchOutcome =
  | { readonly kind: 'created'; readonly commit_sha: string | null }
  | { readonly kind: 'exists'; readonly actual_sha: string | null }
  /** The API does not serve this; git itself may. */
  | { readonly kind: 'undecided'; readonly message: string }

/** One host's documented way to cut a branch. */
export interface BranchApi {
  /** The address of a repository host's API. */
  readonly base: (repo_url: string) => string
  readonly headers: (credential: {
    readonly username: string
    readonly token: string
  }) => Readonly<Record<string, string>>
  readonly create: (send: SendToHost, repository: string, cut: BranchCut) => Promise<HostBranchOutcome>
}

export interface BranchCut {
  readonly branch: string
  readonly at_sha: string
}

export type SendToHost = (request: Omit<ApiRequest, 'headers'>) => Promise<ApiAnswer>
