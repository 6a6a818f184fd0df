import type { Context } from '@svc/context'
import { type GatewayPlace, gatewaySettings, type GatewaySettingsRow } from '@svc/db'
import { changePlace, type Changing } from '../places/change.ts'
import { decidedFor, offersOf } from '../places/decided.ts'
import { type EnteredPlace, enterPlace, type Entering } from '../places/enter.ts'
import { requireSealer } from '../providers/seal-key.ts'
import { checkModels } from './check-models.ts'

type ChangingSettings = Changing & Pick<Context, 'provider_sealer'>

export async function getGatewaySettings(ctx: Entering, place: GatewayPlace) {
  await enterPlace(ctx, place, 'project.customize.read')
  return presentSettings(await gatewaySettings.find(ctx.db, place))
}

export async function updateGatewaySettings(
  ctx: ChangingSettings,
  place: GatewayPlace,
  change: gatewaySettings.SettingsChange,
) {
  await changeSettings(ctx, await enterPlace(ctx, place, 'project.customize.write'), change)
  return presentSettings(await gatewaySettings.find(ctx.db, place))
}

/** Changes what is named and leaves the rest. */
export async function changeSettings(
  ctx: ChangingSettings,
  entered: EnteredPlace,
  change: gatewaySettings.SettingsChange,
): Promise<void> {
  const { place } = entered
  // Bodies are sealed with it.
  if (change.log_bodies === true) requireSealer(ctx)
  const written = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const action = place.scope === 'project' ? 'update*Gateway' : 'update*GatewaySettings'
  const target = place.scope === 'project' ? '' : '/settings'
  await changePlace(ctx, entered, { action, target, details: written }, async (tx) => {
    checkModels(change, offersOf(await decidedFor(tx, entered)))
    await gatewaySettings.update(tx, place, change)
  })
}

/** Those of a place, which decided nothing while it has no row. */
export function presentSettings(row: GatewaySettingsRow | undefined) {
  return {
    default_model: row?.default_model ?? null,
    models: row?.models ?? null,
    agents: row?.agents ?? {},
    fallbacks: row?.fallbacks ?? {},
    log_bodies: row?.log_bodies ?? false,
    body_days: row?.body_days ?? 7,
  }
}
