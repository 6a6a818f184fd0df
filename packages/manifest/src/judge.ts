import { judgeAgentFiles } from './agent-files.ts'
import type { AgentFiles } from './agent-files.ts'
import type { Issue } from './issue.ts'
import { hasErrors } from './issue.ts'
import { readManifest } from './read-manifest.ts'

export interface ManifestFiles {
  readonly 'svc.yaml'?: string | undefined
  readonly 'svc.toml'?: string | undefined
  /** by path from the repository's root; left out when the agents' files are not at hand */
  readonly agents?: AgentFiles | undefined
}

export interface Verdict {
  readonly valid: boolean
  readonly issues: readonly Issue[]
}

/**
 * The verdict on a repository's manifest, the same for every caller. A repository without one is for the caller to
 * allow.
 */
export function judge({ files }: { readonly files: ManifestFiles }): Verdict {
  const yaml = files['svc.yaml']
  const toml = files['svc.toml']
  const path = yaml !== undefined ? 'svc.yaml' : 'svc.toml'
  const text = yaml ?? toml
  if (text === undefined) return verdict([noManifest])

  const { manifest, issues } = readManifest({ path, text })
  const agents = manifest && files.agents ? judgeAgentFiles(manifest, files.agents) : []
  return judgeRead(issues, { both: yaml !== undefined && toml !== undefined, agents })
}

/** The same verdict on files that were read already: the issues of the manifest and those of the agents' files. */
export function judgeRead(
  issues: readonly Issue[],
  { both, agents }: { readonly both: boolean; readonly agents: readonly Issue[] },
): Verdict {
  return verdict([...issues, ...(both ? [tomlUnused] : []), ...agents])
}

function verdict(issues: readonly Issue[]): Verdict {
  return { valid: !hasErrors(issues), issues }
}

const noManifest: Issue = {
  path: 'svc.yaml',
  message: 'there is no manifest: neither svc.yaml nor svc.toml',
  severity: 'error',
}

const tomlUnused: Issue = {
  path: 'svc.toml',
  message: 'both svc.yaml and svc.toml are present; svc.yaml is used',
  severity: 'warning',
}
