import type { BaseContext } from '@svc/context'
import type { SubscriptionRow } from '@svc/db'
import { eventSubscriptionPlace } from '@svc/services'

type Sealed = Pick<SubscriptionRow, 'subscription_id' | 'sealed_data_key'>

/** Headers and secrets of a subscription, each sealed for its place with the subscription's own key. */
export function sealFor(
  { vault }: Pick<BaseContext, 'vault'>,
  { subscription_id, sealed_data_key }: Sealed,
  name: string,
  text: string,
): string {
  const key = vault.openDataKey(sealed_data_key, eventSubscriptionPlace(subscription_id))
  return vault.seal(key, [subscription_id, name], text)
}

export function openFor(
  { vault }: Pick<BaseContext, 'vault'>,
  { subscription_id, sealed_data_key }: Sealed,
  name: string,
  sealed: string,
): string {
  const key = vault.openDataKey(sealed_data_key, eventSubscriptionPlace(subscription_id))
  return vault.open(key, [subscription_id, name], sealed)
}

export const secretName = (secret_id: string): string => `secret/${secret_id}`
export const headersName = 'headers'
