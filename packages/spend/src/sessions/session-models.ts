import type { BaseContext, OfferedModel, SessionModels, SessionOfModel } from '@svc/context'
import { calls, type Db, gatewayOffers } from '@svc/db'
import type { ServiceError } from '@svc/errors'
import { isFree, modelText, priceIdOf, priceOf } from '@svc/models'
import { refusalOf } from '../calls/refusal.ts'
import { offeredModel } from './offered-model.ts'

/** The gateway's word on sessions that are about to start: what it would answer their first call. */
export function sessionModels({
  settings,
  now,
  newId,
}: Pick<BaseContext, 'settings' | 'now' | 'newId'>): SessionModels {
  /** Without an address of the gateway no session has it. */
  const offersOf = async (db: Db, project_id: string) =>
    settings.llm_base_url === null ? undefined : gatewayOffers.ofProject(db, project_id)
  return {
    async find(db, asked): Promise<OfferedModel | null> {
      const offers = await offersOf(db, asked.project_id)
      const found = offers && offeredModel(offers, settings, asked)
      if (!found) return null
      return 'kind' in found ? found : { kind: 'offered', name: modelText(found.name) }
    },
    async refusal(db, asked): Promise<ServiceError | null> {
      const offers = await offersOf(db, asked.project_id)
      const found = offers && offeredModel(offers, settings, asked)
      if (!found || 'kind' in found) return null
      const { name, provider } = found
      const card = priceOf(name, provider, offers.prices, now())?.card ?? null
      if (card !== null && isFree(card)) return null
      const model = modelText(name)
      const admission = await calls.wouldAdmit(db, {
        ...callOf(asked),
        call_id: newId(),
        // The session's key is made with its sandbox: nothing was spent with it.
        token_id: newId(),
        account_id: offers.account_id,
        model,
        provider: provider.slug,
        provider_scope: provider.scope,
        price_id: card && priceIdOf(card),
        priced: card !== null,
        billed: provider.scope === 'operator',
      })
      return admission.outcome === 'refused' ? refusalOf(admission, { ...asked, model }, now()) : null
    },
  }
}

/** The least call that a session could begin with. */
function callOf({ project_id, session_id, agent_name, trigger_slug, model }: SessionOfModel) {
  return {
    ...{ project_id, session_id, agent_name, trigger_slug },
    prompt_id: null,
    dialect: 'chat',
    model_asked: model,
    streamed: true,
    attempts: [],
    request_id: null,
    input_tokens: 0,
    lost_micros: null,
    want_micros: 1,
    floor_micros: 1,
    free: false,
    countable: false,
    unbounded: null,
  } as const
}
