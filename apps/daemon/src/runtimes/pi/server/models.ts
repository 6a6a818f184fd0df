import { AuthStorage, ModelRegistry } from '@earendil-works/pi-coding-agent'
import type { PiSettings } from './settings.ts'

export type PiModel = NonNullable<ReturnType<ModelRegistry['find']>>

export interface Models {
  readonly registry: ModelRegistry
  /** `provider/model`; a name that the session's gateway lists is the gateway's, slash or not. */
  find(name: string): PiModel | undefined
}

/** pi's own catalogue, whose keys are the project's secrets, and the session's model gateway. */
export function openModels({ gateway }: PiSettings): Models {
  const registry = ModelRegistry.inMemory(AuthStorage.inMemory())
  if (gateway !== null && gateway.models.length > 0) {
    registry.registerProvider(gateway.provider, {
      baseUrl: gateway.base_url,
      api: 'openai-completions',
      // The name of a variable: pi looks the key up when it needs it.
      apiKey: gateway.key_variable,
      models: gateway.models.map(({ id, context, output }) => ({
        id,
        name: id,
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: context,
        maxTokens: output,
        compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsStore: false },
      })),
    })
  }
  return {
    registry,
    find: (name) => {
      const own = gateway === null ? undefined : registry.find(gateway.provider, name)
      const slash = name.indexOf('/')
      return own ?? (slash < 1 ? undefined : registry.find(name.slice(0, slash), name.slice(slash + 1)))
    },
  }
}
