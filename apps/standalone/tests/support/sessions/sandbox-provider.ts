/** The best isolation that a laptop has; CI must have the real one. `JOURNEY_SANDBOX_PROVIDER` tries another. */
export const sandboxProvider =
  process.env.JOURNEY_SANDBOX_PROVIDER ?? (process.env.CI ? 'bubblewrap' : 'auto')
