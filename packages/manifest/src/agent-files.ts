import type { Finding, Issue } from './issue.ts'
import { error, pathText, placeFindings } from './issue.ts'
import { manifestLimits } from './limits.ts'
import { agentFilePath, agentFilePaths } from './model/grants.ts'
import type { Manifest } from './model/manifest.ts'
import { isMapping, kindOf, type Mapping } from './raw.ts'
import { harnessFindings } from './rules/agent-harness.ts'
import { agentFileShape } from './schema/agent-file.ts'
import { shapeFindings } from './schema/explain.ts'
import { readFrontmatter } from './source/frontmatter.ts'
import type { Source } from './source/source.ts'

/** The parts of a manifest that its agents' own files are judged by. */
export type DeclaredAgents = Pick<Manifest, 'agentrt' | 'agents' | 'svc_version' | 'harness' | 'harnesses'>

/** Text of files by path from the repository's root. */
export type AgentFiles = Readonly<Record<string, string>>

/**
 * The issues in the own files of the agents that the manifest declares, then a warning for each that has none. Files
 * that no declared agent owns are not judged. All files together are bounded like one manifest.
 */
export function judgeAgentFiles(manifest: DeclaredAgents, files: AgentFiles): readonly Issue[] {
  const issues: Issue[] = []
  let tokens_left: number = manifestLimits.frontmatter_tokens
  for (const path of [...agentFilePaths(manifest)].sort()) {
    const text = Object.hasOwn(files, path) ? files[path] : undefined
    if (text === undefined) continue
    const source = readFrontmatter(text, tokens_left)
    tokens_left -= source.tokens ?? 0
    if (tokens_left < 0) {
      const message = `the agents' files hold more than ${manifestLimits.frontmatter_tokens} YAML tokens together`
      return [...issues, { path, message, severity: 'error' }]
    }
    issues.push(...frontmatterIssues(path, source, (data) => harnessFindings(manifest, data)))
  }
  return [...issues, ...filesMissing(manifest, files)]
}

/** The issues in the frontmatter of one agent's file. */
export function judgeAgentFile(path: string, text: string): readonly Issue[] {
  return frontmatterIssues(path, readFrontmatter(text))
}

function frontmatterIssues(
  path: string,
  source: Source,
  rules: (data: Mapping) => readonly Finding[] = () => [],
): readonly Issue[] {
  const data = source.data ?? {}
  const shape = isMapping(data)
    ? [...shapeFindings(agentFileShape, data), ...rules(data)]
    : [error([], `frontmatter is a mapping, not ${kindOf(data)}`)]
  return placeFindings([...source.findings, ...shape], source.locate, (at) =>
    at.length === 0 ? path : `${path}#${pathText(at)}`,
  )
}

/** Version 1 kept an agent's behaviour in its table, so that a missing file was no fault. */
function filesMissing(
  manifest: Pick<Manifest, 'agentrt' | 'agents' | 'svc_version'>,
  files: AgentFiles,
): readonly Issue[] {
  if (manifest.svc_version === 1) return []
  return manifest.agents.flatMap(({ name }): readonly Issue[] => {
    const path = agentFilePath(manifest, name)
    if (Object.hasOwn(files, path)) return []
    const message = `the agent has no file of its own (${path})`
    return [{ path: `agents.${name}`, message, severity: 'warning' }]
  })
}
