/** Plans that every platform has; an operator adds others. */
export const builtInTiers = ['free', 'team', 'enterprise', 'self_host'] as const

/** The name of a plan. */
export type Tier = string

export const tierPattern = /^[a-z][a-z0-9_]{0,31}$/
