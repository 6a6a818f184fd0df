import type { AccountSsoRow } from '@svc/db'
import type { Vault } from '@svc/vault'
import { accountSsoPlace } from '../../sealed-at.ts'

/** Bound to the issuer and the client that it is for. */
const valuePlace = ({ account_id, issuer, client_id }: Owner) => [
  ...accountSsoPlace(account_id),
  issuer,
  client_id,
]

type Owner = Pick<AccountSsoRow, 'account_id' | 'issuer' | 'client_id'>
type Sealed = Pick<AccountSsoRow, 'sealed_data_key' | 'sealed_client_secret'>

export function sealClientSecret(vault: Vault, owner: Owner, client_secret: string): Sealed {
  const { data_key, sealed } = vault.createDataKey(accountSsoPlace(owner.account_id))
  return {
    sealed_data_key: sealed,
    sealed_client_secret: vault.seal(data_key, valuePlace(owner), client_secret),
  }
}

export function openClientSecret(vault: Vault, row: Owner & Sealed): string {
  const data_key = vault.openDataKey(row.sealed_data_key, accountSsoPlace(row.account_id))
  return vault.open(data_key, valuePlace(row), row.sealed_client_secret)
}
