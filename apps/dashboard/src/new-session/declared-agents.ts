import { readManifest } from '@svc/manifest'
import { type Client, isApiError } from '@svc/sdk'
import { config } from 'zod'

// Else it tries whether it may make code from text, which the policy of the page forbids and the console complains of.
config({ jitless: true })

export interface DeclaredAgents {
  readonly default_agent: string | null
  /** The agents that are enabled. */
  readonly names: readonly string[]
}

/** The agents that the manifest of the default branch declares; null without one that can be read. */
export async function declaredAgents(client: Client, project_id: string): Promise<DeclaredAgents | null> {
  for (const path of ['svc.yaml', 'svc.toml'] as const) {
    const text = await contentOf(client, project_id, path)
    if (text === null) continue
    const { manifest } = readManifest({ path, text })
    if (manifest === null) return null
    const names = manifest.agents.filter(({ enabled }) => enabled).map(({ name }) => name)
    return { default_agent: manifest.default_agent, names }
  }
  return null
}

async function contentOf(client: Client, project_id: string, path: string): Promise<string | null> {
  try {
    const { content, encoding } = await client.projects.files.read(project_id, { path })
    return encoding === 'base64' ? null : content
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null
    throw error
  }
}
