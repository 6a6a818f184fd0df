const mebibyte = 1024 * 1024

/** Sizes in bytes of what a service sends: the end of reading it, and what an outcome carries of it. */
export const answerLimits = { read_bytes: 8 * mebibyte, carried_bytes: mebibyte } as const

/** Actions that one catalogue may have. */
export const maxActions = 5_000
