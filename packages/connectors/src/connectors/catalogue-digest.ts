import { createHash } from 'node:crypto'
import type { CatalogueAction } from '@svc/connector'

/** Another with each change of any action. */
export function catalogueDigest(
  actions: readonly Pick<CatalogueAction, 'action' | 'digest' | 'state'>[],
): string {
  const lines = actions.map(({ action, digest, state }) => `${action} ${digest} ${state}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
