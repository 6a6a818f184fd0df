export const triggerTypes = ['cron', 'webhook', 'monitor'] as const
export type TriggerType = (typeof triggerTypes)[number]

/** What made a trigger fire: its own type, or a person. */
export const fireKinds = [...triggerTypes, 'manual'] as const
export type FireKind = (typeof fireKinds)[number]

export const sessionModes = ['fresh', 'reuse', 'pinned', 'keyed'] as const
export type SessionMode = (typeof sessionModes)[number]

/** What becomes of an occurrence while an earlier one of the same trigger is still being worked on. */
export const overlaps = ['allow', 'skip', 'queue'] as const
export type Overlap = (typeof overlaps)[number]
