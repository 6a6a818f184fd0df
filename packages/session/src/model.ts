/**
 * The sources that may name a session's model, the nearest first: `session` is its creator, or the trigger that opens
 * it.
 */
export const modelSources = ['session', 'agent', 'project', 'account', 'platform'] as const
export type ModelSource = (typeof modelSources)[number]

/** The places where a model may be named; null where none was. */
export interface ModelChoices {
  readonly session: string | null
  readonly agent: string | null
  readonly project: string | null
  readonly account: string | null
}

export interface ResolvedModel {
  /** `provider/model`, or `auto`: the platform's choice. */
  readonly model: string
  readonly named_by: ModelSource
}

export function resolveModel(choices: ModelChoices): ResolvedModel {
  for (const named_by of ['session', 'agent', 'project', 'account'] as const) {
    const model = choices[named_by]
    if (model !== null && model !== '') return { model, named_by }
  }
  return { model: 'auto', named_by: 'platform' }
}

export interface ModelOffers {
  /** The models that the operator offers; null when that is not known and every model is worth a try. */
  readonly offered: readonly string[] | null
  /** Names of the project's secrets: a key of its own opens a provider's models. */
  readonly secret_names: readonly string[]
}

/** An agent's file may name a model without its provider. */
export function isModelAvailable(model: string, { offered, secret_names }: ModelOffers): boolean {
  if (model === 'auto' || offered === null || offered.includes(model)) return true
  if (!model.includes('/')) return offered.some((known) => known.endsWith(`/${model}`))
  const provider = model.split('/')[0] ?? ''
  return secret_names.includes(`${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`)
}
