import type { ServiceError } from './service-error.ts'

type Page = (ids: { readonly project_id: string; readonly account_id: string }) => string

const budgets: Page = ({ project_id }) => `/dashboard/projects/${project_id}/models?tab=budgets`
const plan: Page = ({ account_id }) => `/dashboard/accounts/${account_id}/settings`

/** The pages of refused payments, and the id that each needs. */
const pages: Readonly<Partial<Record<ServiceError['code'], readonly ['project_id' | 'account_id', Page]>>> = {
  budget_exceeded: ['project_id', budgets],
  subscription_required: ['account_id', plan],
  no_account: ['account_id', plan],
  insufficient_credits: ['account_id', plan],
  entitlement_required: ['account_id', plan],
}

/** The page of the dashboard that helps with a refused payment; null for other refusals. */
export function helpPath({ code, details }: Pick<ServiceError, 'code' | 'details'>): string | null {
  const [needs, page] = pages[code] ?? []
  const id = needs && details[needs]
  return page === undefined || typeof id !== 'string' ? null : page({ project_id: id, account_id: id })
}
