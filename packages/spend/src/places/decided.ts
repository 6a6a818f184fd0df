import { type Db, gatewayProviders } from '@svc/db'
import { nearestProviders, settingsByPlace } from '@svc/models'
import type { EnteredPlace } from './enter.ts'

/** Everything that decides about the models of a place: its own and that of the farther ones. */
export async function decidedFor(
  db: Db,
  { project_id, account_id }: Pick<EnteredPlace, 'project_id' | 'account_id'>,
) {
  const { providers, settings, prices } = await gatewayProviders.ofProject(db, { project_id, account_id })
  return { providers: nearestProviders(providers), settings: settingsByPlace(settings), prices }
}

export type Decided = Awaited<ReturnType<typeof decidedFor>>

/** The models that can be asked for; models of a provider that names none are each worth a try. */
export function offersOf({ providers }: Pick<Decided, 'providers'>) {
  return providers
    .filter(({ enabled }) => enabled)
    .map(({ slug, models }) => ({
      provider: slug,
      models: models?.map((model) => (typeof model === 'string' ? model : model.id)) ?? null,
    }))
}
