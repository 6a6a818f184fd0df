import type { CatalogueManifest } from '@svc/db'
import { blobShas, type Repository } from '@svc/git'
import { type AgentWishes, type Manifest, type ManifestReading, manifestPaths } from '@svc/manifest'
import { agentFileOf, agentWishesAt, judgeAt, readingAt } from '../projects/read-manifest.ts'

export interface CatalogueReading {
  /** Every file that the triggers depend on with its blob, a line each, the manifest first; null without a manifest. */
  readonly source: string | null
  readonly reading: ManifestReading | null
  /** The wishes of the agents of triggers, in their own files. */
  readonly wishes: ReadonlyMap<string, AgentWishes>
  readonly manifest: CatalogueManifest
}

/** Of a repository without one. */
export const noManifest: CatalogueManifest = {
  ...{ errors: 0, path: null, message: null },
  ...{ required_secrets: [], required_connectors: [] },
}

/** The triggers at a commit; null when `known` tells them already. Files that did not change are not read. */
export async function readCatalogue(
  repository: Repository,
  tip_sha: string,
  known: string | null,
): Promise<CatalogueReading | null> {
  const watched = known === null ? [] : known.split('\n').slice(1).map(pathOf)
  const source = await sourceAt(repository, tip_sha, watched)
  if (known !== null && source === known) return null
  const reading = source === null ? null : await readingAt(repository, tip_sha)
  const { manifest = null, triggers = [] } = reading ?? {}
  const agents = manifest === null ? [] : [...new Set(triggers.map((trigger) => trigger.agent))]
  const wishes = new Map<string, AgentWishes>()
  for (const name of agents) wishes.set(name, await agentWishesAt(repository, tip_sha, manifest, name))
  const files = agents.flatMap((name) => (manifest && agentFileOf(manifest, name)) ?? [])
  const verdict = await verdictAt(repository, tip_sha, manifest)
  return { source: await sourceAt(repository, tip_sha, files.sort()), reading, wishes, manifest: verdict }
}

async function verdictAt(
  repository: Repository,
  tip_sha: string,
  manifest: Manifest | null,
): Promise<CatalogueManifest> {
  const { issues, checked } = await judgeAt(repository, tip_sha)
  const errors = checked ? issues.filter(({ severity }) => severity === 'error') : []
  const { path = null, message = null } = errors[0] ?? {}
  const required = manifest?.agents.flatMap(({ connectors_required }) => connectors_required) ?? []
  return {
    ...{ errors: errors.length, path, message },
    required_secrets: [...(manifest?.env?.required ?? [])],
    required_connectors: [...new Set(required)],
  }
}

async function sourceAt(
  repository: Repository,
  tip_sha: string,
  agent_files: readonly string[],
): Promise<string | null> {
  const shas = await blobShas(repository, tip_sha, [...manifestPaths, ...agent_files])
  const file = manifestPaths.findIndex((_, index) => shas[index] != null)
  if (file === -1) return null
  const lines = agent_files.map((path, index) => `${path}:${shas[manifestPaths.length + index] ?? '-'}`)
  return [`${manifestPaths[file]}:${shas[file]}`, ...lines].join('\n')
}

const pathOf = (line: string): string => line.slice(0, line.lastIndexOf(':'))
