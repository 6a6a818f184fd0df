import type { BillingState } from '@svc/facts'

/** A refusal of billing: the account of an app cannot pay for programs that run. `balance` is in micro-dollars. */
export interface Unpaid {
  readonly code: 'subscription_required' | 'no_account' | 'insufficient_credits'
  readonly billing_state: BillingState | 'none'
  readonly balance: number | null
  readonly account_id: string
}

/** Words of the three refusals for people who may release the app. */
export const unpaidMessages: Readonly<Record<Unpaid['code'], string>> = {
  subscription_required:
    'The plan of this account does not include programs of the platform; ask its operator for another plan',
  no_account:
    'This account has no credit that programs could run on; ask the operator of the platform for credit',
  insufficient_credits: 'The credit of this account does not pay for programs that run; add credit',
}
