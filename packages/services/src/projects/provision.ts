import { type Context, mintToken, recordAudit, requireProject, requireUser } from '@svc/context'
import { provisionKeys } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { starterFiles } from '@svc/manifest'
import { homeAccount, insertProject } from './insert-project.ts'
import { presentProject } from './present.ts'

export interface ProvisionInput {
  readonly name: string
  readonly idempotency_key?: string | undefined
  readonly seed_starter: boolean
}

type ProvisionContext = Pick<
  Context,
  'db' | 'principal' | 'repositories' | 'vault' | 'settings' | 'now' | 'newId' | 'signal' | 'log'
>

/** A provisioning that has not ended after this long has died, and its key is free again. */
const staleAfterMs = 60_000
const default_branch = 'main'

/** A project with a repository of its own. The same key answers with the same project. */
export async function provisionProject(ctx: ProvisionContext, input: ProvisionInput) {
  const { user_id } = requireUser(ctx)
  const account_id = await homeAccount(ctx, user_id)
  if (input.idempotency_key === undefined) return create(ctx, account_id, user_id, input)

  const key = { account_id, idempotency_key: input.idempotency_key }
  const now = ctx.now()
  const claim = await provisionKeys.claim(ctx.db, key, now, new Date(now.getTime() - staleAfterMs))
  switch (claim.kind) {
    case 'done':
      return {
        ...presentProject(ctx.settings, await requireProject(ctx, claim.project_id, 'project.read')),
        push_token: null,
      }
    case 'in_flight':
      throw new ServiceError(
        'provision_in_flight',
        'A provisioning with this key is under way; ask again in a moment',
        {
          retry_after: 1,
        },
      )
    case 'claimed':
      try {
        return await create(ctx, account_id, user_id, input)
      } catch (error) {
        await provisionKeys.release(ctx.db, key)
        throw error
      }
  }
}

async function create(ctx: ProvisionContext, account_id: string, user_id: string, input: ProvisionInput) {
  const project_id = ctx.newId()
  await ctx.repositories.createManaged(project_id, default_branch)
  try {
    if (input.seed_starter) {
      await ctx.repositories.seed(project_id, {
        default_branch,
        files: starterFiles({ name: input.name, schema_url: `${ctx.settings.api_url}/schemas/svc.v2.json` }),
        message: 'Start the project',
        committed_at: ctx.now(),
      })
    }
    return await ctx.db.transaction().execute(async (tx) => {
      const project = await insertProject(ctx, tx, user_id, {
        project_id,
        account_id,
        name: input.name,
        kind: 'managed',
        repo_url: `managed:${project_id}`,
        default_branch,
        credential: null,
      })
      const { secret } = await mintToken(ctx, tx, {
        kind: 'project',
        name: 'push',
        user_id,
        project_id,
        default_branch: true,
      })
      if (input.idempotency_key !== undefined) {
        await provisionKeys.finish(tx, { account_id, idempotency_key: input.idempotency_key }, project_id)
      }
      const target = `projects/${project_id}`
      await recordAudit(ctx, tx, { account_id, project_id, action: 'provisionProject', target })
      return { ...presentProject(ctx.settings, project), push_token: secret }
    })
  } catch (error) {
    await ctx.repositories.removeManaged(project_id)
    throw error
  }
}
