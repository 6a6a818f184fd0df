import { ServiceError } from '@svc/errors'
import { type ModelName, modelText, ownProvider, splitModelName, withoutOwnPrefix } from './model-name.ts'
import { nearNames } from './near-names.ts'

/** A provider and its models; null where they are not known, and each is worth a try. */
export interface ModelOffer {
  readonly provider: string
  readonly models: readonly string[] | null
}

/** The one model that a name means. A bare id is taken where one provider alone offers it. */
export function findModel(name: string, offers: readonly ModelOffer[]): ModelName {
  const asked = withoutOwnPrefix(name)
  const named = splitModelName(asked)
  if (named && offers.some((offer) => offer.provider === named.provider && offersId(offer, named.id)))
    return named
  const bare = offers
    .filter(({ provider, models }) => models?.includes(asked) && (named === null || provider === ownProvider))
    .map(({ provider }) => ({ provider, id: asked }))
  const [own] = bare.filter(({ provider }) => provider === ownProvider)
  if (own && asked !== name) return own
  if (bare.length > 1) throw ambiguous(name, bare.map(explicitText))
  const [one] = bare
  if (one) return one
  throw unknown(name, asked, offers)
}

function offersId({ models }: ModelOffer, id: string): boolean {
  return models === null || models.includes(id)
}

/** A name that no other model has: with its provider, the platform's own included. */
function explicitText({ provider, id }: ModelName): string {
  return `${provider}/${id}`
}

function ambiguous(name: string, candidates: readonly string[]): ServiceError {
  return new ServiceError(
    'model_ambiguous',
    `More than one provider offers ${quoted(name)}; name one of ${candidates.map(quoted).join(', ')}`,
    { candidates },
  )
}

function unknown(name: string, asked: string, offers: readonly ModelOffer[]): ServiceError {
  const known = offers.flatMap(({ provider, models }) =>
    (models ?? []).map((id) => modelText({ provider, id })),
  )
  const near = nearNames(asked, known)
  const next =
    near.length > 0
      ? `did you mean ${near.map(quoted).join(', ')}?`
      : 'GET /v1/llm/models lists those that this key may call'
  return new ServiceError('model_not_found', `The model ${quoted(name)} is not offered here; ${next}`, {
    near,
  })
}

const maxShown = 120

function quoted(name: string): string {
  return JSON.stringify(name.length > maxShown ? `${name.slice(0, maxShown)}…` : name)
}
