import type { SandboxProvider } from '../../src/index.ts'
import { listProcesses, sendSignal } from '../../src/providers/process/processes/process-table.ts'
import { environmentOf } from '../../src/testing/sandbox-client.ts'
import { readRun } from './sandbox-run.ts'

/** Ends the daemon of a running sandbox from outside, once it answers, so that it is certainly the daemon that dies. */
export async function killDaemon(provider: SandboxProvider, root: string, externalId: string): Promise<void> {
  const endpoint = await provider.endpoint(externalId)
  if (endpoint === null) throw new Error('The sandbox does not run.')
  await environmentOf(endpoint)
  await killFirst(root, externalId)
}

/** Ends the process that a sandbox's entrypoint became. */
export async function killFirst(root: string, externalId: string): Promise<void> {
  const { inner, outer } = await readRun(root, externalId)
  for (const row of await listProcesses()) if (row.parent === (inner ?? outer)) sendSignal(row.pid, 'SIGKILL')
}
