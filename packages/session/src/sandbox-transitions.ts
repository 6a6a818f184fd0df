/** The sandbox record's own states: provisioning, then active, then stopped, error or archived. */
export const sandboxStatuses = ['provisioning', 'active', 'stopped', 'error', 'archived'] as const
export type SandboxRecordStatus = (typeof sandboxStatuses)[number]

/** renew: a new sandbox takes the place of the old one. archive: the session was deleted; the record stays for its history. */
export const sandboxEvents = ['activate', 'stop', 'error', 'resume', 'renew', 'archive'] as const
export type SandboxEvent = (typeof sandboxEvents)[number]

const table: Readonly<
  Record<SandboxRecordStatus, Readonly<Partial<Record<SandboxEvent, SandboxRecordStatus>>>>
> = {
  provisioning: {
    activate: 'active',
    stop: 'stopped',
    error: 'error',
    renew: 'provisioning',
    archive: 'archived',
  },
  active: { stop: 'stopped', error: 'error', renew: 'provisioning', archive: 'archived' },
  stopped: { resume: 'provisioning', error: 'error', renew: 'provisioning', archive: 'archived' },
  error: { resume: 'provisioning', renew: 'provisioning', archive: 'archived' },
  archived: {},
}

export function sandboxStatusAfter(
  status: SandboxRecordStatus,
  event: SandboxEvent,
): SandboxRecordStatus | null {
  return table[status][event] ?? null
}

/** The statuses that an UPDATE for `event` may start from. */
export function sandboxStatusesAccepting(event: SandboxEvent): SandboxRecordStatus[] {
  return sandboxStatuses.filter((status) => table[status][event] !== undefined)
}
