import { type CallOutcome, callConnector } from '@svc/connectors'
import type { ExecutorServerParts } from './server.ts'

interface Asked {
  readonly connector: string
  readonly action: string
  readonly args: Readonly<Record<string, unknown>>
  readonly idempotency_key?: string | undefined
}

/** Calls an action and waits for its end, as long as clients of MCP do. */
export function callAction(
  { ctx, project_id, wait }: ExecutorServerParts,
  asked: Asked,
): Promise<CallOutcome> {
  return callConnector(ctx, { ...asked, project_id, wait_seconds: wait.seconds, door: 'executor' })
}
