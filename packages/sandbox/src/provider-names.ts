/**
 * The words of SVC_SANDBOX_PROVIDER, and of a session's request for a place to run. A list of its own, for those that ask
 * what there is and carry none of it: each provider's clients are megabytes.
 */
export const providerNames = ['auto', 'process', 'bubblewrap', 'docker', 'kubernetes'] as const

export type ProviderName = (typeof providerNames)[number]
