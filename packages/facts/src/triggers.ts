export const triggerTypes = ['cron', 'webhook', 'monitor'] as const
export type TriggerType = (typeof triggerTypes)[number]

/** The cause of a fire: its trigger's own type, or a person. */
export const fireKinds = [...triggerTypes, 'manual'] as const
export type FireKind = (typeof fireKinds)[number]

/** The session that a fire goes to. */
export const sessionModes = ['fresh', 'reuse', 'pinned', 'keyed'] as const
export type SessionMode = (typeof sessionModes)[number]

/** The end of an occurrence that comes while an earlier one of the same trigger is still being worked on. */
export const overlaps = ['allow', 'skip', 'queue'] as const
export type Overlap = (typeof overlaps)[number]

export const monitorModes = ['poll', 'stream'] as const
export type MonitorMode = (typeof monitorModes)[number]
