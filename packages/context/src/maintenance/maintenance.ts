import { ServiceError } from '@svc/errors'
import type { MaintenanceMode } from '@svc/facts'

export interface Maintenance {
  readonly mode: MaintenanceMode
  /** The operator's words; null for the platform's own. */
  readonly message: string | null
  readonly retry_after_seconds: number
  /** The moment at which it ends by itself. */
  readonly until: Date | null
}

/** Nothing is closed. */
export const noMaintenance: Maintenance = {
  mode: 'off',
  message: null,
  retry_after_seconds: 60,
  until: null,
}

interface Asked {
  readonly maintenance: () => Maintenance
}

/** False while new sessions, starts, prompts and fires wait. */
export const startsAreOpen = ({ maintenance }: Asked): boolean => maintenance().mode === 'off'

/** Refuses what would make or wake a sandbox. */
export function requireStartsOpen(asked: Asked): void {
  const current = asked.maintenance()
  if (current.mode !== 'off')
    throw closed(current, 'The platform is being maintained: nothing starts now. Try again later.')
}

/** Refuses a write of a person or an agent. */
export function requireWritesOpen(asked: Asked): void {
  const current = asked.maintenance()
  if (current.mode === 'read_only')
    throw closed(
      current,
      'The platform is being maintained: reading works, nothing can be changed now. Try again later.',
    )
}

function closed({ message, retry_after_seconds }: Maintenance, standard: string): ServiceError {
  return new ServiceError('maintenance', message ?? standard, { retry_after: retry_after_seconds })
}
