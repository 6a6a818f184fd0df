import type { GatewayModel } from './models.ts'

/** The provider under which the session's model gateway is known to the runtime. */
export const gatewayProvider = 'svc'

/**
 * Defaults that a repository's own configuration may change: they go into the file with the lowest rank. The sandbox is
 * the fence, so that the agent works without asking.
 */
export function baseSettings(models: readonly GatewayModel[]): object {
  const first = models[0]
  return {
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

/** What a repository must not change: these rank above every file. Keys are named, not held. */
export function sessionSettings(parts: {
  readonly llm: { readonly base_url: string } | null
  readonly models: readonly GatewayModel[]
  readonly model: string | undefined
}): object {
  const { llm, models, model } = parts
  const first = models[0]
  const small = model ?? (first ? `${gatewayProvider}/${first.id}` : undefined)
  return {
    autoupdate: false,
    share: 'disabled',
    ...(model === undefined ? {} : { model }),
    ...(llm === null || small === undefined ? {} : { small_model: small }),
    ...(llm === null ? {} : { provider: { [gatewayProvider]: gateway(llm.base_url, models) } }),
  }
}

function gateway(baseURL: string, models: readonly GatewayModel[]): object {
  const entries = models.map(({ id, context, output }) => [
    id,
    { name: id, tool_call: true, temperature: true, limit: { context, output } },
  ])
  return {
    npm: '@ai-sdk/openai-compatible',
    name: 'Model gateway',
    options: { baseURL, apiKey: '{env:SVC_LLM_API_KEY}' },
    models: Object.fromEntries(entries),
  }
}

/** `provider/model` as the runtime wants it: what the gateway lists belongs to the gateway, slash or not. */
export function qualifyModel(model: string, models: readonly GatewayModel[]): string {
  if (model.startsWith(`${gatewayProvider}/`)) return model
  const listed = models.some(({ id }) => id === model)
  return listed || !model.includes('/') ? `${gatewayProvider}/${model}` : model
}
