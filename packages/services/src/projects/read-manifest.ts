import { posix } from 'node:path'
import { ServiceError } from '@svc/errors'
import { type Derived, perCommit, readFile, type Repository } from '@svc/git'
import {
  agentFilePath,
  agentFilePaths,
  agentModel,
  type Issue,
  judge,
  limits,
  type Manifest,
  type ManifestReading,
  readManifest,
} from '@svc/manifest'

export interface ManifestVerdict {
  readonly valid: boolean
  readonly issues: readonly Issue[]
}

const names = ['svc.yaml', 'svc.toml'] as const

/** The manifest at a commit as far as it can be read; null when there is none or nothing of it is usable. */
export async function manifestAt(repository: Repository, sha: string): Promise<Manifest | null> {
  return (await readingAt(repository, sha))?.manifest ?? null
}

/** What the manifest at a commit says, and what is wrong with it; null when there is none. */
export const readingAt = perCommit(readAt, { max_bytes: 4 * limits.bytes })

async function readAt(repository: Repository, sha: string): Promise<Derived<ManifestReading> | null> {
  for (const path of names) {
    const text = await textAt(repository, sha, path)
    if (text !== null) return { value: readManifest({ path, text }), bytes: text.length }
  }
  return null
}

/** The merge gate's verdict on a commit. A repository without a manifest is acceptable. */
export async function judgeAt(repository: Repository, sha: string): Promise<ManifestVerdict> {
  const [yaml, toml] = await Promise.all(names.map((path) => textAt(repository, sha, path)))
  if (yaml == null && toml == null) return { valid: true, issues: [] }
  const manifest =
    yaml != null
      ? readManifest({ path: 'svc.yaml', text: yaml }).manifest
      : readManifest({ path: 'svc.toml', text: toml ?? '' }).manifest
  const agents: Record<string, string> = {}
  for (const path of manifest === null ? [] : agentFilePaths(manifest)) {
    const text = await textAt(repository, sha, path)
    if (text !== null) agents[path] = text
  }
  return judge({
    files: {
      ...(yaml == null ? {} : { 'svc.yaml': yaml }),
      ...(toml == null ? {} : { 'svc.toml': toml }),
      agents,
    },
  })
}

/** The model that an agent's own file at a commit names; null without such a file. */
export async function agentModelAt(
  repository: Repository,
  sha: string,
  manifest: Manifest | null,
  agent_name: string,
): Promise<string | null> {
  const path = manifest && agentFileOf(manifest, agent_name)
  const text = path === null ? null : await textAt(repository, sha, path)
  return text === null ? null : agentModel(text)
}

/** Where the agent's file is in the tree; null when the manifest sends us out of it. */
export function agentFileOf(manifest: Manifest, agent_name: string): string | null {
  const path = posix.normalize(agentFilePath(manifest, agent_name))
  return path.startsWith('../') || path.startsWith('/') ? null : path
}

async function textAt(repository: Repository, sha: string, path: string): Promise<string | null> {
  try {
    const file = await readFile(repository, { ref: sha, path, max_bytes: limits.bytes })
    return file === null ? null : file.content.toString('utf8')
  } catch (error) {
    // What is over the validator's limit is for the validator to refuse.
    if (error instanceof ServiceError && error.code === 'payload_too_large')
      return ' '.repeat(limits.bytes + 1)
    throw error
  }
}
