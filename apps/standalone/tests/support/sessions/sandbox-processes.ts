import type { Session } from '@svc/sdk'
import { type FoundProcess, processesWith } from '../platform/processes.ts'

/** The processes in the sandbox of a session: every one carries the sandbox's id in its environment or command. */
export function sandboxProcesses({ external_id }: Pick<Session, 'external_id'>): Promise<FoundProcess[]> {
  if (external_id === null) throw new Error('The session has no sandbox yet')
  return processesWith([external_id])
}

/** As an out-of-memory kill of the whole sandbox does: no process inside is asked. */
export async function killSandbox(session: Pick<Session, 'external_id'>): Promise<number> {
  const found = await sandboxProcesses(session)
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went together with another one.
    }
  }
  return found.length
}
