import { counted } from '@svc/facts'
import {
  type AccessibleProject,
  type Context,
  forbidden,
  requireActive,
  requireSignInRules,
} from '@svc/context'
import { accounts, type Db, features, projectMembers, projects, triggerCatalogues } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { newDataKey, sealFor } from './project-vault.ts'
import { freeSlug, slugOf } from './slug.ts'

export interface NewProject {
  readonly project_id: string
  readonly account_id: string
  readonly name: string
  readonly kind: 'managed' | 'connected'
  readonly repo_url: string
  readonly default_branch: string
  readonly credential: { readonly username: string; readonly token: string } | null
}

/** The account that a person's new projects belong to. */
export async function homeAccount(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  user_id: string,
): Promise<string> {
  const [first] = await accounts.listMemberships(ctx.db, user_id)
  if (!first)
    throw forbidden(
      'account.member',
      'You belong to no account that could own a project; ask for an invitation to one first',
    )
  requireSignInRules(ctx, first.account_id)
  return first.account_id
}

async function requireProjectRoom(
  ctx: Pick<Context, 'trail'>,
  tx: Db,
  account: accounts.AccountWithPlan,
): Promise<void> {
  requireActive(ctx, account)
  const { account_id, limit_projects } = account
  if (limit_projects === null || (await accounts.countProjects(tx, account_id)) < limit_projects) return
  throw new ServiceError(
    'project_limit',
    `The operator of the platform lets this account have ${counted(limit_projects, 'project')}, which it has; delete one, or ask the operator`,
    { limit: limit_projects },
  )
}

/** Writes the project's row inside a transaction; its creator is a manager of it. */
export async function insertProject(
  ctx: Pick<Context, 'vault' | 'now' | 'trail'>,
  tx: Db,
  user_id: string,
  project: NewProject,
): Promise<AccessibleProject> {
  const account = await accounts.lock(tx, project.account_id)
  if (account) await requireProjectRoom(ctx, tx, account)
  const created_at = ctx.now()
  const { credential, ...columns } = project
  const sealed_data_key = newDataKey(ctx.vault, project.project_id)
  const row = await projects.insert(tx, {
    ...columns,
    slug: freeSlug(project.name, await projects.slugsLike(tx, project.account_id, slugOf(project.name))),
    sealed_data_key,
    sealed_credential:
      credential === null
        ? null
        : sealFor(
            ctx.vault,
            { ...columns, sealed_data_key },
            'repository-credential',
            JSON.stringify(credential),
          ),
    created_by: user_id,
    created_at,
    updated_at: created_at,
    archived_at: null,
  })
  const { project_id } = project
  await projectMembers.insert(tx, { project_id, user_id, role: 'manager', created_at })
  if (account?.gateway_new_projects === true) {
    const flag = {
      feature: 'model_gateway',
      enabled: true,
      updated_by: user_id,
      updated_at: created_at,
    } as const
    await features.set(tx, { project_id, ...flag })
  }
  await triggerCatalogues.markChanged(tx, project.project_id, created_at)
  return { ...row, project_role: 'manager' }
}
