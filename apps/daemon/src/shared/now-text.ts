/** The time of now, as events carry it. */
export const nowText = (): string => new Date().toISOString()
