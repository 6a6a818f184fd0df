import { type Client, isApiError } from '@svc/sdk'

export interface DeclaredAgents {
  readonly default_agent: string | null
  readonly names: readonly string[]
}

/** Names of agents as keys below `agents:`, which is enough to offer them; the API judges the manifest. */
const agentKeys = /^agents:[^\n]*\n((?:[ \t]+[^\n]*\n|[ \t]*#[^\n]*\n|[ \t]*\n)*)/m

/** The agents that the manifest of the default branch declares; null where that cannot be told. */
export async function declaredAgents(client: Client, project_id: string): Promise<DeclaredAgents | null> {
  const text = await contentOf(client, project_id)
  return text === null ? null : agentsIn(text)
}

export function agentsIn(text: string): DeclaredAgents | null {
  const block = agentKeys.exec(`${text}\n`)?.[1]
  if (block === undefined) return null
  const indent = /^([ \t]+)[^\s#]/m.exec(block)?.[1] ?? '  '
  const names = block.split('\n').flatMap((line) => {
    const name = line.startsWith(indent)
      ? /^(["']?)([\w.-]+)\1\s*:/.exec(line.slice(indent.length))?.[2]
      : undefined
    return name === undefined ? [] : [name]
  })
  const default_agent = /^default_agent:\s*(["']?)([\w.-]+)\1\s*(?:#.*)?$/m.exec(text)?.[2] ?? null
  return { default_agent, names }
}

async function contentOf(client: Client, project_id: string): Promise<string | null> {
  try {
    const { content, encoding } = await client.projects.files.read(project_id, { path: 'svc.yaml' })
    return encoding === 'base64' ? null : content
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null
    throw error
  }
}
