/** The time to report a monitor's silence; null when nothing is expected of it or it was reported already. */
export function silenceAt(
  last_line_at: number,
  expect_within_ms: number | null,
  reported: boolean,
): number | null {
  return expect_within_ms === null || reported ? null : last_line_at + expect_within_ms
}
