import { type Log } from '../log.ts'
import { type GatewayModel, listGatewayModels } from './gateway-models.ts'
import { gatewayProvider } from './gateway-names.ts'

export interface Gateway {
  readonly base_url: string | null
  /** The models that it lists, and the one that the session asks for. */
  readonly models: readonly GatewayModel[]
  /** The session's own model, qualified; undefined leaves the choice to the agent. */
  readonly model: string | undefined
  /** For agents that name no model; undefined without a gateway. */
  readonly fallback: string | undefined
  qualify(model: string): string
  learn(key: string | undefined): Promise<void>
}

/** The session's model gateway as every runtime is told of it. */
export function createGateway(parts: {
  readonly llm: { readonly base_url: string } | null
  readonly model: string | undefined
  readonly log: Log
}): Gateway {
  const { llm, model, log } = parts
  let models: readonly GatewayModel[] = []
  return {
    base_url: llm?.base_url ?? null,
    get models() {
      return models
    },
    get model() {
      return model === undefined ? undefined : qualifyModel(model, models)
    },
    get fallback() {
      return models[0] && `${gatewayProvider}/${models[0].id}`
    },
    qualify: (name) => qualifyModel(name, models),
    learn: async (key) => {
      if (!llm) return
      try {
        models = await listGatewayModels(llm.base_url, key)
      } catch (error) {
        // A list of an earlier start, or the one model that is asked for, is enough to work with.
        if (models.length === 0 && model === undefined) throw error
        log.warn('the model gateway does not list its models', { error })
      }
      if (model !== undefined) models = withModel(models, qualifyModel(model, models))
    },
  }
}

function withModel(models: readonly GatewayModel[], asked: string): readonly GatewayModel[] {
  const prefix = `${gatewayProvider}/`
  if (!asked.startsWith(prefix)) return models
  const id = asked.slice(prefix.length)
  return models.some((known) => known.id === id)
    ? models
    : [...models, { id, context: 128_000, output: 16_384 }]
}

/** `provider/model` as a runtime wants it: what the gateway lists belongs to the gateway, slash or not. */
export function qualifyModel(model: string, models: readonly GatewayModel[]): string {
  if (model.startsWith(`${gatewayProvider}/`)) return model
  const listed = models.some(({ id }) => id === model)
  return listed || !model.includes('/') ? `${gatewayProvider}/${model}` : model
}
