import type { GatewayModel } from '../gateway-models.ts'
import { gatewayKey, gatewayProvider } from '../gateway-names.ts'
import { executorName } from '../connectors.ts'
import { onlyThese, type SkillFences } from './skill-fence.ts'

/**
 * Defaults that a repository's own configuration may change: they go into a file of low rank. The sandbox is
 * the fence, so that the agent works without asking.
 */
export function baseSettings(models: readonly GatewayModel[]): object {
  const first = models[0]
  return {
    // Without it the runtime writes the file anew.
    $schema: 'https://opencode.ai/config.json',
    // It would keep a copy of every file at each step; the platform keeps the work in checkpoints.
    snapshot: false,
    permission: {
      edit: 'allow',
      bash: 'allow',
      webfetch: 'allow',
      external_directory: 'allow',
      question: 'allow',
    },
    ...(first ? { model: `${gatewayProvider}/${first.id}` } : {}),
  }
}

/** Settings that a repository must not change: they rank above every file. Keys are named, not held. */
export function sessionSettings(parts: {
  readonly llm: { readonly base_url: string } | null
  readonly models: readonly GatewayModel[]
  readonly model: string | undefined
  /** A file with what every agent is told. */
  readonly instructions: string
  readonly skills: readonly string[] | null
  readonly fences: SkillFences
  /** Whether the session has connectors. */
  readonly connectors: boolean
}): object {
  const { llm, models, model, instructions, skills, fences, connectors } = parts
  const first = models[0]
  const small = model ?? (first ? `${gatewayProvider}/${first.id}` : undefined)
  return {
    autoupdate: false,
    share: 'disabled',
    instructions: [instructions],
    ...(skills === null
      ? {}
      : {
          permission: { skill: onlyThese(skills) },
          agent: Object.fromEntries(
            Object.entries(fences).map(([name, key]) => [name, { permission: { [key]: onlyThese(skills) } }]),
          ),
        }),
    ...(connectors ? { mcp: { [executorName]: executorSettings } } : {}),
    ...(model === undefined ? {} : { model }),
    ...(llm === null || small === undefined ? {} : { small_model: small }),
    ...(llm === null
      ? {}
      : {
          provider: {
            [gatewayProvider]: providerSettings('Model gateway', llm.base_url, `{env:${gatewayKey}}`, models),
          },
        }),
  }
}

/** The connectors of the session as tools of the platform; a call of them may take 45 seconds. */
const executorSettings = {
  type: 'remote',
  url: '{env:SVC_API_URL}/executor/mcp',
  headers: { Authorization: 'Bearer {env:SVC_EXECUTOR_TOKEN}' },
  oauth: false,
  enabled: true,
  timeout: 60_000,
}

export function providerSettings(
  name: string,
  baseURL: string,
  apiKey: string,
  models: readonly GatewayModel[],
): object {
  const entries = models.map(({ id, context, output }) => [
    id,
    { name: id, tool_call: true, temperature: true, limit: { context, output } },
  ])
  return {
    npm: '@ai-sdk/openai-compatible',
    name,
    options: { baseURL, apiKey },
    models: Object.fromEntries(entries),
  }
}
