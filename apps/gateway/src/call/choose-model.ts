import type { gatewayAccess } from '@svc/db'
import { findModel, type ModelName, modelText, offeredDefaults, ownProvider } from '@svc/models'
import type { GatewayConfig } from '../config/config.ts'
import { offersOf } from './candidates.ts'

/** The model that a call means. Without a name it is the first default that is offered here. */
export function chooseModel(
  config: GatewayConfig,
  asked: string | null,
  caller: Pick<gatewayAccess.GatewayAccess, 'session_model' | 'project_model' | 'account_model'>,
  operator_default: string | null,
): ModelName {
  const offers = offersOf(config)
  if (asked !== null) return findModel(asked, offers)
  const { session_model: session, project_model: project, account_model: account } = caller
  const named = { session, project, account, operator: operator_default }
  const [chosen] = offeredDefaults(config.settings, named, offers)
  if (chosen !== undefined) return chosen
  const own = config.providers.find(({ slug }) => slug === ownProvider)
  return findModel(modelText({ provider: ownProvider, id: own?.models?.[0]?.id ?? 'demo' }), offers)
}
