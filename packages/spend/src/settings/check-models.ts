import type { gatewaySettings } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { findModel, type ModelOffer } from '@svc/models'
import { invalid } from '../places/invalid.ts'

/** Refuses a default or a fallback that no provider offers here, each by its field. */
export function checkModels(
  { default_model, fallbacks = {} }: gatewaySettings.SettingsChange,
  offers: readonly ModelOffer[],
): void {
  if (typeof default_model === 'string' && default_model !== 'auto')
    check('default_model', default_model, offers)
  for (const [model, list] of Object.entries(fallbacks)) {
    check(`fallbacks.${model}`, model, offers)
    for (const [at, entry] of list.entries())
      check(`fallbacks.${model}.${at}`, typeof entry === 'string' ? entry : entry.model, offers)
  }
}

function check(path: string, model: string, offers: readonly ModelOffer[]): void {
  try {
    findModel(model, offers)
  } catch (error) {
    if (error instanceof ServiceError) throw invalid(path, error.message)
    throw error
  }
}
