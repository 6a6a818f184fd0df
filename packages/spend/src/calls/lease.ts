/** The time for which a call stays a process's without a beat; `gateway_admit` gives the first one. */
export const leaseMs = 15_000
export const beatMs = 2_000
/** So long before its lease ends a process cuts a call itself. */
export const ownCutMs = 2_000
