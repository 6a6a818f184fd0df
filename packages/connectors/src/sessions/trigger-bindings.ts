import { audited, type Context, requireProject, requireWritesOpen } from '@svc/context'
import { connections, triggerBindings, triggers } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { tryRefreshCatalogue } from '@svc/services'
import { type Bindings, bindingsOf, chosenBy, requireChoices } from './bindings.ts'

type ReadContext = Pick<Context, 'db' | 'principal' | 'repositories' | 'vault' | 'now' | 'signal' | 'trail'>

interface TriggerKey {
  readonly project_id: string
  readonly slug: string
}

/** The connections that were chosen for the sessions of a trigger. */
export async function getTriggerBindings(ctx: ReadContext, key: TriggerKey) {
  const project = await requireProject(ctx, key.project_id, 'project.trigger.read')
  await tryRefreshCatalogue(ctx, project)
  await requireTrigger(ctx, key)
  return { trigger: key.slug, connector_bindings: bindingsOf(await triggerBindings.find(ctx.db, key)) }
}

/**
 * Chooses the connections of a trigger’s sessions anew; the next fire takes them. They are the project’s: the words of a
 * trigger come from others, and no person’s own connection is lent to them.
 */
export async function setTriggerBindings(
  ctx: ReadContext & Pick<Context, 'newId' | 'maintenance'>,
  { connector_bindings, ...key }: TriggerKey & { readonly connector_bindings: Bindings },
) {
  const { project_id, slug: trigger } = key
  const project = await requireProject(ctx, project_id, 'project.trigger.update')
  await requireProject(ctx, project_id, 'project.session.bindings.write')
  requireWritesOpen(ctx)
  await tryRefreshCatalogue(ctx, project)
  const row = await requireTrigger(ctx, key)
  const chosen = chosenBy(connector_bindings)
  requireChoices(chosen, {
    usable: (row.agent?.connectors ?? []).map(({ slug }) => slug),
    whose: `the agent of ${trigger}`,
    known: await connections.listChoices(ctx.db, { project_id, user_id: null }),
  })
  await audited(
    ctx,
    {
      ...{ account_id: project.account_id, project_id },
      action: 'setTriggerBindings',
      target: `projects/${project_id}/triggers/${trigger}/bindings`,
      details: { connections: Object.fromEntries(chosen) },
    },
    async (tx) => {
      await triggerBindings.replace(tx, key, chosen)
      return null
    },
  )
  return { trigger, connector_bindings: bindingsOf(chosen) }
}

async function requireTrigger(ctx: Pick<Context, 'db'>, key: TriggerKey) {
  const row = await triggers.find(ctx.db, key)
  if (row !== undefined) return row
  throw new ServiceError(
    'not_found',
    `There is no trigger ${JSON.stringify(key.slug)}; declare it in svc.yaml and merge that`,
  )
}
