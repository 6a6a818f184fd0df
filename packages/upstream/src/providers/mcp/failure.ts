import { McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Reason } from '@svc/connector'
import { UpstreamRefusal, type Target } from '../../shapes.ts'
import { wireFailure } from '../../wire-failure.ts'

interface Failure {
  readonly reason: Reason
  readonly message: string
  readonly sent: boolean
  readonly data?: unknown
}

const maxText = 2_000

/** An error of the SDK or of the wire as the end of a call. `status` is that of the answer, null where there was none. */
export function mcpFailure(error: unknown, status: number | null, target: Target): Failure {
  const { name } = target.connector
  if (status === 401)
    return target.credential === null
      ? {
          reason: 'connector_not_connected',
          message: `${name} asks for a credential; connect it`,
          sent: false,
        }
      : {
          reason: 'connection_expired',
          message: `${name} refuses the credential; connect it again`,
          sent: false,
        }
  const text = (error instanceof Error ? error.message : String(error)).slice(0, maxText)
  if (error instanceof UpstreamRefusal) return wireFailure(error)
  if (status !== null && status >= 400)
    return { reason: 'upstream_error', message: `${name} answered ${status}: ${text}`, sent: true }
  if (error instanceof McpError)
    return {
      reason: 'upstream_error',
      message: `${name}: ${text}`,
      sent: true,
      data: { code: error.code, data: error.data ?? null },
    }
  if (status !== null && (error instanceof SyntaxError || isShapeError(error)))
    return {
      reason: 'upstream_error',
      message: `${name} answered with something that is not MCP`,
      sent: true,
    }
  return wireFailure(error)
}

const isShapeError = (error: unknown) =>
  error instanceof Error &&
  (error.name === 'ZodError' || /^Streamable HTTP error: Unexpected/.test(error.message))

/** Whether the server said that it does not know the session, and so did nothing. */
export function isUnknownSession(error: unknown, status: number | null): boolean {
  if (status === 404) return true
  // Servers that are older than the rule say it with another status.
  return status === 400 && error instanceof Error && /session/i.test(error.message)
}
