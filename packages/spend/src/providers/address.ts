import type { Context } from '@svc/context'
import type { ProviderScope } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { checkTarget, RefusedTarget } from '@svc/outbound'
import { invalid } from '../places/invalid.ts'

/** Refuses an address that the platform may not call for its users; an operator's provider may be anywhere. */
export async function requireCallable(
  { settings }: Pick<Context, 'settings'>,
  scope: ProviderScope,
  base_url: string,
): Promise<void> {
  if (scope === 'operator') return
  try {
    await checkTarget(new URL(base_url), { open: settings.outbound_addresses ?? [] })
  } catch (error) {
    if (error instanceof RefusedTarget)
      throw new ServiceError(error.code, `${error.message}; give the provider another address`, {
        issues: [{ path: 'base_url', message: error.message }],
      })
    throw invalid('base_url', `no address was found for ${new URL(base_url).hostname}; see how it is written`)
  }
}
