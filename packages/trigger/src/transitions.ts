export const fireStatuses = ['pending', 'fired', 'queued', 'skipped', 'deduped', 'missed', 'failed'] as const
export type FireStatus = (typeof fireStatuses)[number]

/** fire: it has its session. queue: no room, or its turn has not come. skip: it is not wanted. fail: it cannot be. */
export const fireEvents = ['fire', 'queue', 'skip', 'fail'] as const
export type FireEvent = (typeof fireEvents)[number]

/** `deduped` and `missed` are written as such: such an occurrence has no life. What is absent is refused. */
const table: Readonly<Record<FireStatus, Readonly<Partial<Record<FireEvent, FireStatus>>>>> = {
  pending: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed' },
  queued: { fire: 'fired', queue: 'queued', skip: 'skipped', fail: 'failed' },
  fired: {},
  skipped: {},
  deduped: {},
  missed: {},
  failed: {},
}

export function fireStatusAfter(status: FireStatus, event: FireEvent): FireStatus | null {
  return table[status][event] ?? null
}

/** The statuses that an UPDATE for `event` may start from. */
export function fireStatusesAccepting(event: FireEvent): FireStatus[] {
  return fireStatuses.filter((status) => table[status][event] !== undefined)
}

/** Statuses of fires that somebody still owes a session. */
export const owedStatuses: readonly FireStatus[] = fireStatuses.filter(
  (status) => table[status].fire !== undefined,
)
