/** The time to report a monitor's silence; null when nothing is expected of it or it was reported already. */
export function silenceAt(heard_at: number, expect_within_ms: number | null, told: boolean): number | null {
  return expect_within_ms === null || told ? null : heard_at + expect_within_ms
}
