import { type Context, recordAudit, requireAccount, requireProject } from '@svc/context'
import { type budgets, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'

export type Asking = Pick<Context, 'db' | 'principal' | 'trail'>
export type Changing = Asking & Pick<Context, 'now' | 'newId'>

/** Budgets of a project, or of an account itself. */
export type AskedPlace = { readonly project_id: string } | { readonly account_id: string }

type Capability = Parameters<typeof requireProject>[2]

/** The place; refuses a caller who lacks the capability on that project, or who is no admin of that account. */
export async function enterPlace(
  ctx: Asking,
  asked: AskedPlace,
  capability: Capability,
): Promise<budgets.BudgetPlace> {
  if (!('project_id' in asked)) {
    const { account_id } = await requireAccount(ctx, asked.account_id, 'admin')
    return { account_id, project_id: null }
  }
  const { account_id, project_id } = await requireProject(ctx, asked.project_id, capability)
  return { account_id, project_id }
}

/** Writes the event of a change; comes last in its transaction. */
export async function recordBudget(
  ctx: Changing,
  tx: Db,
  { account_id, project_id }: budgets.BudgetPlace,
  {
    verb,
    budget_id,
    details,
  }: {
    readonly verb: 'create' | 'update' | 'delete'
    readonly budget_id: string
    readonly details: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const of = project_id === null ? `accounts/${account_id}` : `projects/${project_id}`
  await recordAudit(ctx, tx, {
    ...{ account_id, project_id, details },
    action: `${verb}${project_id === null ? 'Account' : ''}GatewayBudget`,
    target: `${of}/gateway/budgets/${budget_id}`,
  })
}

export function noSuchBudget(): ServiceError {
  return new ServiceError('not_found', 'There is no such budget here; list the budgets again')
}

/** The refusal of a second budget that would count the same. */
export function twin(budget_id: string): ServiceError {
  return new ServiceError(
    'conflict',
    'There is a budget of this level, subject, period and mode already; change its cap instead',
    { budget_id },
  )
}
