import type { Overview } from '@svc/sdk/admin'

/** Sessions by the states that people tell apart: cutting a branch and making a sandbox are both starting. */
export function sessionCounts({
  queued = 0,
  branching = 0,
  provisioning = 0,
  ...others
}: Overview['sessions']) {
  return Object.entries({ queued, starting: branching + provisioning, ...others })
}
