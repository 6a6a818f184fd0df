/** Plans that an account may have. */
export const tiers = ['free', 'team', 'enterprise', 'self_host'] as const

export type Tier = (typeof tiers)[number]
