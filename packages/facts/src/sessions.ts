/** Statuses of a session that holds a sandbox, or is on the way to one: it counts against the limits of its account. */
export const liveSessionStatuses = ['provisioning', 'running'] as const
