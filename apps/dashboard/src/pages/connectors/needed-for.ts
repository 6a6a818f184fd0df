import type { Capability } from '@svc/facts'

/** The capability that an account of this scope is connected and disconnected with; one's own takes none. */
export const neededFor = (scope: string): Capability | undefined =>
  scope === 'project' ? 'project.connector.connections.manage' : undefined
