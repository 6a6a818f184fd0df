import { type Context, requireAccount, requireProject } from '@svc/context'
import { eventSubscriptions, type SubscriptionRow } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The account, for its admins, or one project of it. */
export type EventPlace =
  { readonly account_id: string; readonly project_id?: undefined } | { readonly project_id: string }

export interface FoundPlace {
  readonly account_id: string
  readonly project_id: string | null
}

type Asking = Pick<Context, 'db' | 'principal' | 'trail'>

export async function requirePlace(
  ctx: Asking,
  place: EventPlace,
  capability: 'project.connector.read' | 'project.connector.write' = 'project.connector.read',
): Promise<FoundPlace> {
  if (place.project_id === undefined) {
    const { account_id } = await requireAccount(ctx, place.account_id, 'admin')
    return { account_id, project_id: null }
  }
  const { account_id, project_id } = await requireProject(ctx, place.project_id, capability)
  return { account_id, project_id }
}

export type SubscriptionInput = EventPlace & { readonly subscription_id: string }

/** A subscription of the project, or any of the account; one of elsewhere is not there. */
export async function requireSubscription(
  ctx: Asking,
  input: SubscriptionInput,
  capability?: 'project.connector.read' | 'project.connector.write',
): Promise<{ readonly place: FoundPlace; readonly row: SubscriptionRow }> {
  const place = await requirePlace(ctx, input, capability)
  const row = await eventSubscriptions.find(ctx.db, { ...place, subscription_id: input.subscription_id })
  if (!row) throw noSubscription()
  return { place: { account_id: row.account_id, project_id: row.project_id }, row }
}

export const noSubscription = () =>
  new ServiceError('not_found', 'There is no such subscription; list those of its project or account')

/** The operation as it is called for the place of the path: those of an account have its name in theirs. */
export const operationOf = ({ project_id }: EventPlace, name: string): string =>
  project_id === undefined ? name.replace('Event', 'AccountEvent') : name

/** The subscription in the audit log. */
export function auditTarget({ account_id, project_id }: FoundPlace, subscription_id: string): string {
  return project_id === null
    ? `accounts/${account_id}/event-subscriptions/${subscription_id}`
    : `projects/${project_id}/event-subscriptions/${subscription_id}`
}
