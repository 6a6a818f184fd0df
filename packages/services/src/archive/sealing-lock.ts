/** Held while months of events are packed, and while rows of deleted sessions are removed: one waits for the other. */
export const sealingLock = 'event-sealing'
