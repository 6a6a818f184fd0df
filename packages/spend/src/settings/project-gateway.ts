import { featureFlag, isFeatureOn } from '@svc/access'
import type { Context } from '@svc/context'
import { features, gatewaySettings, plans } from '@svc/db'
import type { Changing } from '../places/change.ts'
import { enterPlace, type Entering } from '../places/enter.ts'
import { changeSettings, presentSettings } from './settings.ts'

/** Whether a project has the gateway, and what it decided about models. */
export async function getProjectGateway(
  ctx: Entering & Pick<Context, 'settings'>,
  { project_id }: { readonly project_id: string },
) {
  await enterPlace(ctx, { scope: 'project', project_id }, 'project.customize.read')
  return readProjectGateway(ctx, project_id)
}

export async function updateProjectGateway(
  ctx: Changing & Pick<Context, 'settings'>,
  { project_id, ...change }: gatewaySettings.SettingsChange & { readonly project_id: string },
) {
  const entered = await enterPlace(ctx, { scope: 'project', project_id }, 'project.customize.write')
  await changeSettings(ctx, entered, change)
  return readProjectGateway(ctx, project_id)
}

async function readProjectGateway({ db, settings }: Pick<Context, 'db' | 'settings'>, project_id: string) {
  const [[decided], plan, row] = await Promise.all([
    features.decisions(db, project_id, ['model_gateway']),
    plans.ofProject(db, project_id),
    gatewaySettings.find(db, { scope: 'project', project_id }),
  ])
  const available = decided?.available ?? true
  const base_url = settings.llm_base_url
  return {
    // What the project itself decided, whether or not the operator offers it.
    enabled:
      decided !== undefined && isFeatureOn(featureFlag('model_gateway'), { ...decided, available: true }),
    offered: available && base_url !== null,
    entitled: plan !== undefined && plan.gateway !== 'off',
    base_url,
    ...presentSettings(row),
  }
}
