import { setTimeout as sleep } from 'node:timers/promises'
import { isApiError } from '@svc/sdk'
import { type AdminClient, type CheckRun, type StartChecks } from '@svc/sdk/admin'

const lookMs = 500

/** Has the platform make its checks, and waits for the end of the run. */
export async function runOnPlatform(
  admin: AdminClient,
  wanted: StartChecks,
  onBegin: (run_id: string) => void = () => undefined,
): Promise<CheckRun> {
  const { run_id } = await admin.startChecks(wanted)
  onBegin(run_id)
  for (;;) {
    const run = await admin.checks(run_id)
    if (run.state !== 'running') return run
    await sleep(lookMs)
  }
}

/** Null for a caller who does not run the platform. */
export async function platformFindings(admin: AdminClient, wanted: StartChecks): Promise<CheckRun | null> {
  try {
    return await runOnPlatform(admin, wanted)
  } catch (error) {
    if (isApiError(error) && error.status === 403) return null
    throw error
  }
}
