import type { Finding } from '../issue.ts'
import { error, messageText, warning } from '../issue.ts'
import { agentFilePath } from '../model/grants.ts'
import { runtimeSettingsOf } from '../model/runtime-settings.ts'
import { isMapping, listAt, mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { ownFilePlaceholder } from '../schema/agent.ts'
import { choice, didYouMean, quoted } from '../suggest.ts'

/** The rules between the agents, `default_agent` and other parts of the manifest. */
export function agentRules(manifest: Mapping): readonly Finding[] {
  const agents = mappingAt(manifest, 'agents')
  const templates = listAt(mappingAt(manifest, 'sandbox'), 'templates')
  const sandboxes = new Set(['default', ...templates.flatMap((one) => textAt(one, 'slug') ?? [])])
  const connectors = listAt(manifest, 'connectors').flatMap((one) => textAt(one, 'slug') ?? [])
  const declared = {
    connectors: new Set(connectors),
    secrets: new Set(['required', 'optional'].flatMap((key) => listAt(mappingAt(manifest, 'env'), key))),
  }
  const findings = [...defaultAgentRules(manifest, agents)]
  for (const [name, agent] of Object.entries(agents)) {
    if (!isMapping(agent)) continue
    const path = ['agents', name]
    const sandbox = textAt(agent, 'sandbox')
    if (sandbox !== undefined && !sandboxes.has(sandbox)) {
      findings.push(error([...path, 'sandbox'], () => noTemplate(sandbox, [...sandboxes])))
    }
    for (const key of ['connectors', 'connectors_required', 'connectors_personal']) {
      const message = (one: string) =>
        `no connector has the slug ${quoted(one)}${didYouMean(one, connectors)}`
      findings.push(...undeclared(agent, path, key, declared.connectors, message))
    }
    findings.push(
      ...undeclared(
        agent,
        path,
        'secrets',
        declared.secrets,
        (one) => `${quoted(one)} is not declared in \`env\``,
      ),
    )
    findings.push(...aliasRules(agent, path))
  }
  return findings
}

/** The shape knows no names; this puts the agent's own path where it says `<config_dir>/agents/<name>.md`. */
export function namingOwnFiles(findings: readonly Finding[], manifest: Mapping): readonly Finding[] {
  const { config_dir } = runtimeSettingsOf(manifest, findings)
  return findings.map((finding) => {
    const [section, name] = finding.path
    if (section !== 'agents' || typeof name !== 'string') return finding
    const path = agentFilePath({ agentrt: { config_dir } }, name)
    return { ...finding, message: () => messageText(finding).replace(ownFilePlaceholder, () => path) }
  })
}

function defaultAgentRules(manifest: Mapping, agents: Mapping): readonly Finding[] {
  const name = textAt(manifest, 'default_agent')
  if (name === undefined || name === '') return []
  const path = ['default_agent']
  const names = Object.keys(agents)
  if (names.length === 0) return []
  if (!Object.hasOwn(agents, name)) {
    return [
      error(
        path,
        `no agent is named ${quoted(name)}${didYouMean(name, names) || `; declared are ${choice(names)}`}`,
      ),
    ]
  }
  return mappingAt(agents, name)['enabled'] === false
    ? [error(path, `the agent ${quoted(name)} is disabled`)]
    : []
}

function noTemplate(slug: string, known: readonly string[]): string {
  return `no sandbox template has the slug ${quoted(slug)}; known are ${choice(known)}${didYouMean(slug, known)}`
}

function undeclared(
  agent: Mapping,
  path: readonly string[],
  key: string,
  known: ReadonlySet<unknown>,
  message: (name: string) => string,
): readonly Finding[] {
  return listAt(agent, key).flatMap((name, index) =>
    typeof name === 'string' && name !== '' && !known.has(name)
      ? [warning([...path, key, index], () => message(name))]
      : [],
  )
}

function aliasRules(agent: Mapping, path: readonly string[]): readonly Finding[] {
  if (!Object.hasOwn(agent, 'connectors_personal')) return []
  const message = Object.hasOwn(agent, 'connectors_required')
    ? 'is ignored beside `connectors_required`, its new name'
    : 'is deprecated; write `connectors_required`'
  return [warning([...path, 'connectors_personal'], message)]
}
