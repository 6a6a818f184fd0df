import { type Context, forbidden, requireActor, requireProject } from '@svc/context'
import { type PersonalSecretRow, personalSecrets, sandboxes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { checkSecretName, checkSecretValue, countSecretWrite, recordSecretWrite } from './put.ts'
import { sealFor } from '../projects/project-vault.ts'

/** No name of a project's secret has a colon: neither kind can be opened in the place of the other. */
export const personalName = (user_id: string, name: string): string => `personal:${user_id}:${name}`

/** The names of one's own. */
export async function listPersonalSecrets(
  ctx: Pick<Context, 'db' | 'principal'>,
  input: { project_id: string },
) {
  const { project_id, user_id } = await requireOwner(ctx, input.project_id)
  return { items: (await personalSecrets.list(ctx.db, { project_id, user_id })).map(presentPersonal) }
}

export async function putPersonalSecret(
  ctx: Pick<Context, 'db' | 'principal' | 'vault' | 'now' | 'newId' | 'report_rate'>,
  input: { project_id: string; name: string; value: string },
) {
  const { name, value } = input
  checkSecretName(name)
  checkSecretValue(value)
  const { user_id, project, project_id } = await requireOwner(ctx, input.project_id)
  const now = ctx.now()
  const sealed_value = sealFor(ctx.vault, project, personalName(user_id, name), value)
  const row = await ctx.db.transaction().execute(async (tx) => {
    await countSecretWrite(ctx, tx, project_id)
    const times = { created_at: now, updated_at: now }
    const stored = await personalSecrets.put(tx, { project_id, user_id, name, sealed_value, ...times })
    await sandboxes.oweSecrets(tx, { project_id, user_id })
    await recordSecretWrite(ctx, tx, project, `personal-secrets/${name}`, 'putPersonalSecret')
    return stored
  })
  return presentPersonal(row)
}

export async function deletePersonalSecret(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'report_rate'>,
  { name, ...input }: { project_id: string; name: string },
): Promise<void> {
  const { user_id, project, project_id } = await requireOwner(ctx, input.project_id)
  const removed = await ctx.db.transaction().execute(async (tx) => {
    await countSecretWrite(ctx, tx, project_id)
    const found = await personalSecrets.remove(tx, { project_id, user_id }, name)
    if (!found) return false
    await sandboxes.oweSecrets(tx, { project_id, user_id })
    await recordSecretWrite(ctx, tx, project, `personal-secrets/${name}`, 'deletePersonalSecret')
    return true
  })
  if (!removed)
    throw new ServiceError(
      'not_found',
      `You have no personal secret named ${JSON.stringify(name)}; list your own`,
    )
}

/**
 * Refuses agents: they use secrets that they were given, and set no traps for sessions that their person starts later.
 */
async function requireOwner(ctx: Pick<Context, 'db' | 'principal' | 'trail'>, project_id: string) {
  const project = await requireProject(ctx, project_id, 'project.session.start')
  if (ctx.principal.type === 'session')
    throw forbidden(
      'project.session.start',
      'Personal secrets are their person’s to manage, not an agent’s; use a personal token',
    )
  return { project, project_id, user_id: requireActor(ctx) }
}

function presentPersonal({ name, created_at, updated_at }: PersonalSecretRow) {
  return { name, created_at, updated_at }
}
