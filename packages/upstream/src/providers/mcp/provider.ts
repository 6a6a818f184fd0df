import { type Provider, type Target, UpstreamRefusal } from '../../shapes.ts'
import { callTool, openFailure } from './call-tool.ts'
import { isUnknownSession, mcpFailure } from './failure.ts'
import { listTools } from './list-tools.ts'
import { type PoolLimits, sessionPool } from './pool.ts'
import { redactedActions, redactedOutcome, redactedProgress } from './redacted.ts'
import { type McpOptions, serverUrl } from './session.ts'

const defaultLimits: PoolLimits = { max_sessions: 256, idle_ms: 300_000 }

/** Tools of MCP servers over streamable HTTP, or over the transport before it. Sessions stay open until they are idle; `close` ends them. */
export function mcpProvider(
  options: McpOptions & { readonly limits?: PoolLimits },
): Provider & { readonly close: () => Promise<void> } {
  const refusalOf = ({ reason, message }: ReturnType<typeof mcpFailure>, { credential }: Target) =>
    new UpstreamRefusal(reason, options.redact(credential).text(message))
  const pool = sessionPool(options, options.limits ?? defaultLimits)
  return {
    list: async (target, signal) => {
      for (;;) {
        const lease = await pool.take(target, signal).catch((error: unknown) => {
          if (signal.aborted) throw timedOut(target.connector.name)
          throw refusalOf(openFailure(error, target), target)
        })
        try {
          const actions = await listTools(lease.session, target.connector.name, signal)
          return redactedActions(actions, target, options.redact)
        } catch (error) {
          if (error instanceof UpstreamRefusal) throw error
          if (signal.aborted) throw timedOut(target.connector.name)
          const { last_status } = lease.session
          if (!lease.reused || !isUnknownSession(error, last_status))
            throw refusalOf(mcpFailure(error, last_status, target), target)
          lease.discard()
        } finally {
          lease.release()
        }
      }
    },
    call: async (target, action, args, call) => {
      const noted = redactedProgress(call, target, options.redact)
      return redactedOutcome(await callTool(pool, target, action, args, noted), target, options.redact)
    },
    origin: async (target) => serverUrl(target).origin,
    close: () => pool.close(),
  }
}

const timedOut = (name: string) =>
  new UpstreamRefusal('upstream_timeout', `${name} did not list its tools in time; try again`)
