import { posix } from 'node:path'
import { ServiceError } from '@svc/errors'
import { blobShas, type Derived, perCommit, readFile, type Repository } from '@svc/git'
import {
  type AgentWishes,
  agentFilePath,
  agentFilePaths,
  frontmatterOnly,
  type Issue,
  judgeRead,
  manifestLimits,
  manifestPaths,
  type Manifest,
  type ManifestReading,
  noWishes,
} from '@svc/manifest'
import { ask } from './verdicts/ask.ts'
import { TooLongError } from './verdicts/worker-pool.ts'

export interface ManifestVerdict {
  readonly valid: boolean
  readonly issues: readonly Issue[]
  /** False when the check was given up: the issue says so, and tells nothing of the manifest. */
  readonly checked: boolean
}

/** The manifest at a commit as far as it can be read; null when there is none or nothing of it is usable. */
export async function manifestAt(repository: Repository, sha: string): Promise<Manifest | null> {
  return (await readingAt(repository, sha))?.manifest ?? null
}

/** The manifest at a commit with its issues; null when there is none. */
export const readingAt = perCommit(readAt, { max_bytes: 4 * manifestLimits.bytes })

/** The manifest at a commit as it is written there; null when there is none. */
export async function sourceAt(
  repository: Repository,
  sha: string,
): Promise<{ readonly path: (typeof manifestPaths)[number]; readonly text: string } | null> {
  for (const path of manifestPaths) {
    const text = await textAt(repository, sha, path)
    if (text !== null) return { path, text }
  }
  return null
}

async function readAt(repository: Repository, sha: string): Promise<Derived<ManifestReading> | null> {
  const source = await sourceAt(repository, sha)
  if (source === null) return null
  const bytes = source.text.length
  return { value: await ask('read', source, bytes), bytes }
}

/** The merge gate's verdict on a commit. A repository without a manifest is acceptable. */
export async function judgeAt(repository: Repository, sha: string): Promise<ManifestVerdict> {
  try {
    const reading = await readingAt(repository, sha)
    if (reading === null) return { valid: true, issues: [], checked: true }
    const [yaml, toml] = await blobShas(repository, sha, manifestPaths)
    const agents = await agentIssuesAt(repository, sha, reading.manifest)
    return { ...judgeRead(reading.issues, { both: yaml != null && toml != null, agents }), checked: true }
  } catch (error) {
    // A manifest that cannot be checked is invalid; the request that asks does not fail for it.
    if (error instanceof TooLongError)
      return {
        valid: false,
        issues: [{ path: '', message: error.message, severity: 'error' }],
        checked: false,
      }
    throw error
  }
}

async function agentIssuesAt(
  repository: Repository,
  sha: string,
  manifest: Manifest | null,
): Promise<readonly Issue[]> {
  if (manifest === null) return []
  const files: Record<string, string> = {}
  let characters = 0
  for (const path of agentFilePaths(manifest)) {
    const text = await textAt(repository, sha, path)
    characters += path.length
    if (text === null) continue
    files[path] = frontmatterOnly(text)
    characters += files[path].length
  }
  const { agentrt, agents, svc_version, harness, harnesses } = manifest
  const declared = { agentrt, agents, svc_version, harness, harnesses }
  return ask('agent_files', { manifest: declared, files }, characters)
}

/** The wishes of an agent's own file at a commit; none without such a file. */
export async function agentWishesAt(
  repository: Repository,
  sha: string,
  manifest: Manifest | null,
  agent_name: string,
): Promise<AgentWishes> {
  const path = manifest && agentFileOf(manifest, agent_name)
  const text = path === null ? null : await textAt(repository, sha, path)
  return text === null ? noWishes : ask('agent_wishes', { text }, text.length)
}

/** Path of the agent's file in the tree; null when the manifest names one outside of it. */
export function agentFileOf(manifest: Manifest, agent_name: string): string | null {
  const path = posix.normalize(agentFilePath(manifest, agent_name))
  return path.startsWith('../') || path.startsWith('/') ? null : path
}

async function textAt(repository: Repository, sha: string, path: string): Promise<string | null> {
  try {
    const file = await readFile(repository, { ref: sha, path, max_bytes: manifestLimits.bytes })
    return file === null ? null : file.content.toString('utf8')
  } catch (error) {
    // A file over the validator's limit is left to the validator to refuse.
    if (error instanceof ServiceError && error.code === 'payload_too_large')
      return ' '.repeat(manifestLimits.bytes + 1)
    throw error
  }
}
