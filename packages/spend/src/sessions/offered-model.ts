import type { OfferedModel, Settings } from '@svc/context'
import type { gatewayOffers } from '@svc/db'
import { ServiceError } from '@svc/errors'
import {
  allowlists,
  findModel,
  keptOutBy,
  type ModelName,
  modelText,
  nearestProviders,
  offeredDefaults,
  settingsByPlace,
  withoutOwnPrefix,
} from '@svc/models'

type Operator = Pick<Settings, 'offered_models' | 'default_model'>
export type OfferingProvider = gatewayOffers.ProjectOffers['providers'][number]

/** A model that the gateway offers to a session, and the provider that it is asked of. */
export interface FoundModel {
  readonly name: ModelName
  readonly provider: OfferingProvider
}

/** The model that the gateway takes a name for; the word of its refusal where it takes none. */
export function offeredModel(
  found: gatewayOffers.ProjectOffers,
  operator: Operator,
  asked: { readonly agent_name: string; readonly model: string },
): FoundModel | Exclude<OfferedModel, { readonly kind: 'offered' }> | null {
  const settings = settingsByPlace(found.settings)
  const providers = nearestProviders(found.providers).filter(({ enabled }) => enabled)
  const offers = providers.map(({ slug, models }) => ({ provider: slug, models: models?.map(idOf) ?? null }))
  const lists = allowlists(settings, {
    operator_models: operator.offered_models ?? null,
    agent_name: asked.agent_name,
    key_models: null,
  })
  const withProvider = (name: ModelName) => {
    const provider = providers.find(({ slug }) => slug === name.provider)
    return provider && { name, provider }
  }
  if (asked.model === 'auto') {
    const named = { project: found.project_model, account: found.account_model }
    const operator_default = operator.default_model ?? null
    const defaults = offeredDefaults(
      settings,
      { ...named, session: null, operator: operator_default },
      offers,
    )
    const listed = offers.flatMap(({ provider, models }) => (models ?? []).map((id) => ({ provider, id })))
    const first = [...defaults, ...listed].find((name) => keptOutBy(lists, name) === null)
    return (first && withProvider(first)) ?? null
  }
  const name = findOr(asked.model, offers)
  if (name instanceof ServiceError) {
    const text = withoutOwnPrefix(asked.model)
    const known_provider = providers.some(
      ({ slug }) => text.startsWith(`${slug}/`) || asked.model.startsWith(`${slug}/`),
    )
    return { kind: 'not_offered', known_provider, refusal: name }
  }
  const by = keptOutBy(lists, name)
  if (by !== null) return { kind: 'not_allowed', by, refusal: notAllowed(name, by) }
  return withProvider(name) ?? null
}

/** The refusal of a model that the list of a place does not let through. */
export function notAllowed(name: ModelName, by: string): ServiceError {
  return new ServiceError(
    'model_not_allowed',
    `The model ${modelText(name)} is not on the list of models of the ${by}; GET /v1/llm/models has those that may be called`,
    { by, action: 'askModel' },
  )
}

function idOf(model: NonNullable<OfferingProvider['models']>[number]): string {
  return typeof model === 'string' ? model : model.id
}

function findOr(name: string, offers: Parameters<typeof findModel>[1]): ModelName | ServiceError {
  try {
    return findModel(name, offers)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
