import { audited, type Context, requireAccount } from '@svc/context'
import { type AccountRow, accounts } from '@svc/db'

export interface Branding {
  readonly display_name: string | null
  /** `#rrggbb`, in lower case. */
  readonly accent: string | null
}

/** Null for an account that has neither. */
export function brandingOf(account: Pick<AccountRow, 'brand_name' | 'brand_accent'>): Branding | null {
  const { brand_name: display_name, brand_accent: accent } = account
  return display_name === null && accent === null ? null : { display_name, accent }
}

/** Replaces the branding of an account, for its owners and admins, with a plan that has it. */
export async function setBranding(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail'>,
  input: Branding & { readonly account_id: string },
): Promise<Branding> {
  const { account_id, display_name, accent } = input
  const brand = { brand_name: display_name?.trim() ?? null, brand_accent: accent?.toLowerCase() ?? null }
  await requireAccount(ctx, account_id, 'admin', 'branding')
  const entry = { account_id, action: 'setBranding', target: `accounts/${account_id}` }
  await audited(ctx, entry, (tx) => accounts.update(tx, account_id, brand))
  return { display_name: brand.brand_name, accent: brand.brand_accent }
}
