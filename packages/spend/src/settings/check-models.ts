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
    if (!(error instanceof ServiceError)) throw error
    throw invalid(
      path,
      error.code === 'model_not_found' ? notOffered(model, error.details['near']) : error.message,
    )
  }
}

function notOffered(model: string, near: unknown): string {
  const names = Array.isArray(near) ? near.map((name) => JSON.stringify(name)) : []
  const next =
    names.length > 0 ? `did you mean ${names.join(', ')}?` : 'svc gateway models lists those that are'
  return `the model ${JSON.stringify(model)} is not offered here; ${next}`
}
