import type { Budgets, Client, Spending } from '@svc/sdk'
import { useClient } from '../sign-in/signed-in.tsx'

/** Money is of a project, or of an account with all of its projects. */
export type MoneyPlace =
  | { readonly kind: 'project'; readonly project_id: string }
  | {
      readonly kind: 'account'
      readonly account_id: string
      /** The names of its projects, by their ids. */
      readonly projects: ReadonlyMap<string, string>
    }

export const idOf = (place: MoneyPlace): string =>
  place.kind === 'project' ? place.project_id : place.account_id

interface Money {
  /** Of the project or the account, which its routes are asked with. */
  readonly id: string
  readonly budgets: Budgets
  readonly spend: Pick<Spending<{ readonly group_by: string; readonly since: string }>, 'get' | 'csv'>
}

/** The routes of money in a place. */
export function useMoney(place: MoneyPlace): Money {
  const { projects, accounts }: Client = useClient()
  const { budgets, spend } = place.kind === 'project' ? projects.gateway : accounts.gateway
  return { id: idOf(place), budgets, spend }
}
