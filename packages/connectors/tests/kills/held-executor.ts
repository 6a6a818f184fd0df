import { guardedWire } from '@svc/outbound'
import { createProviders, type Provider } from '@svc/upstream'
import { createExecutor, type LocalExecutor } from '../../src/executor/index.ts'
import type { childParts } from './child-parts.ts'
import { type HeldQuery, reach } from './held-lines.ts'

/** The lines of an executor, by its queries. */
export const executorQueries: readonly HeldQuery[] = [
  // Line 3 of a call that was approved: it is claimed, and no lock is taken.
  { begins: 'update "connector_calls" set "status"', after: 'claimed' },
  // Line 5: it is noted as sent, and no byte is.
  { begins: 'update connector_calls set sent_at', after: 'sent' },
  // Line 7: the end, and who has its result.
  { begins: 'with ended as', commits: true },
]

/** An executor whose calls stop at the other lines as well. */
export function heldExecutor(parts: Awaited<ReturnType<typeof childParts>>): LocalExecutor {
  const wire = guardedWire({ open: ['127.0.0.0/8'] })
  const { http } = createProviders({ wire }).of
  if (http === undefined) throw new Error('There is no provider http')
  const held: Provider = {
    ...http,
    // Line 4: the gate once more.
    origin: async (target) => {
      await reach('gate')
      return http.origin(target)
    },
    // Line 6: the answer is read, and written nowhere.
    call: async (target, action, args, options) => {
      const outcome = await http.call(target, action, args, options)
      await reach('answered')
      return outcome
    },
  }
  return createExecutor({ ...parts, ...{ wire, providers: { http: held } } })
}
