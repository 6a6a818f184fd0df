import { ServiceError } from '@svc/errors'
import type { CheckedRepositoryUrl } from '../remote/check-repository-url.ts'
import type { Credential } from '../repository.ts'
import { requestApi } from './api-request.ts'
import type { BranchApi, BranchCut, HostBranchOutcome } from './branch-api.ts'
import type { GitHost } from './detect-host.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { repositoryPath } from './repository-path.ts'

const apis: Readonly<Record<Exclude<GitHost, 'generic'>, BranchApi>> = { github, gitlab, gitea }

export interface HostAccess {
  readonly host: GitHost
  readonly repo_url: string
  readonly credential: Credential | null
  /** Refuses an address that is not allowed, and gives the ones to connect to. */
  readonly check: (url: string) => Promise<CheckedRepositoryUrl>
  readonly signal: AbortSignal | undefined
}

/** Cuts a branch through the host's own API, which moves no objects. Says so when only git can tell. */
export async function cutBranchOnHost(access: HostAccess, cut: BranchCut): Promise<HostBranchOutcome> {
  const { host, repo_url, credential, check, signal } = access
  if (host === 'generic' || credential === null) return undecided('this host has no branch API')
  const api = apis[host]
  const base = api.base(repo_url)
  const prefix = new URL(base).pathname.replace(/\/$/, '')
  const headers = api.headers(credential)
  const target = await check(base).catch(() => null)
  if (target === null) return undecided('the API of the host has no address that is allowed')
  try {
    return await api.create(
      ({ path, ...request }) => requestApi(target, { ...request, path: prefix + path, headers }, signal),
      repositoryPath(repo_url),
      cut,
    )
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ServiceError) throw error
    // Undecided: git sees whether the branch was cut.
    return undecided('the API of the host does not answer')
  }
}

const undecided = (message: string): HostBranchOutcome => ({ kind: 'undecided', message })
