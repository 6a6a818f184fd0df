import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../shared/make-folder.ts'
import { step } from '../shared/steps.ts'
import { type FetchParts, fetchRefs } from './fetch-refs.ts'
import { type Git, must } from '../git/git.ts'
import { newConfiguration, trust } from '../git/git-settings.ts'
import { makeRepository } from './make-repository.ts'

export interface BeginParts extends FetchParts {
  readonly workspace: string
  readonly home: string
  readonly repo_url: string
  /** Git that brings the credential along, which spares the first request its refusal; null leaves it to the helper. */
  readonly authorized: () => Promise<Git | null>
  /** Nothing can be owed to a sandbox before this one, so that recent history is enough to begin with. */
  readonly is_new: boolean
  /** Makes all else that must be there before the origin is asked, in a folder that is new or was prepared before. */
  readonly prepare: (isPrepared: boolean) => Promise<void>
}

/** Most repositories are whole with this many commits; the others get the rest while the agent starts. */
const firstCommits = 50

/** The beginning of a clone, up to the branches that the origin has. */
export async function beginClone(parts: BeginParts): Promise<ReadonlySet<string>> {
  const { git, workspace, branch, repo_url, is_new } = parts
  makeFolder(workspace)
  step('clone')
  const authorized = parts.authorized().catch(() => null)
  const isPrepared = existsSync(join(workspace, '.git'))
  const trusted = trust(parts)
  trusted.catch(() => undefined)
  if (isPrepared) await must('Preparing the workspace', git('init', '-q', '-b', branch, '.'))
  else makeRepository(workspace, branch, newConfiguration(repo_url))
  await parts.prepare(isPrepared)
  await trusted
  step('initialised')
  const authorizedGit = await authorized
  step('credential')
  const refs = await fetchFirst(parts, authorizedGit, is_new ? [`--depth=${firstCommits}`] : [])
  step('fetched')
  return refs
}

/** The branch whose files the session begins with; undefined in an empty repository. */
export function startOf(
  refs: ReadonlySet<string>,
  { branch, base_ref, default_branch }: Pick<FetchParts, 'branch' | 'base_ref' | 'default_branch'>,
): string | undefined {
  return [branch, base_ref, default_branch].find((name) => refs.has(name))
}

export const remoteRef = (branch: string): string => `refs/remotes/origin/${branch}`

/** With the credential at hand first; whatever is wrong with that, git finds its own way. */
async function fetchFirst(
  parts: FetchParts,
  git: Git | null,
  how: readonly string[],
): Promise<ReadonlySet<string>> {
  // There is nothing to tidy in a clone that is being made.
  const untidied =
    (git: Git): Git =>
    (...args) =>
      git('-c', 'maintenance.auto=false', ...args)
  const refs = git === null ? null : await fetchRefs({ ...parts, git: untidied(git) }, how).catch(() => null)
  return refs ?? fetchRefs({ ...parts, git: untidied(parts.git) }, how)
}
