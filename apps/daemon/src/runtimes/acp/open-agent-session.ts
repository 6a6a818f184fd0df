import { join } from 'node:path'
import { type ClientConnection, methods, RequestError } from '@agentclientprotocol/sdk'
import { type HarnessLaunch, sessionMeta } from '@svc/harness'
import { settled } from '@svc/timing'
import { daemonLimits } from '../../limits.ts'
import { pause } from '../../shared/backoff.ts'
import { setRecordAside } from './dated-records.ts'
import { executorServers } from './executor-servers.ts'
import { type Initialized, Opened } from './schemas.ts'

/** The words of an agent on an error, which the library may have put beside its message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error)
  const { data } = error
  const detail =
    typeof data === 'string'
      ? data
      : typeof data === 'object' && data !== null && 'details' in data
        ? String(data.details)
        : typeof data === 'object' && data !== null && 'message' in data
          ? String(data.message)
          : ''
  return detail === '' || error.message.includes(detail) ? error.message : `${error.message}: ${detail}`
}

/** `-32000` of the protocol. */
export const needsAuthentication = (error: unknown): boolean =>
  error instanceof RequestError && error.code === -32000

export const gatewayMethod = 'gateway'

/** Lets an agent ask the session's gateway, where it takes that as a way to sign in. */
export async function authenticate(
  { agent }: Pick<ClientConnection, 'agent'>,
  { authMethods }: Initialized,
  { base_url, key }: { readonly base_url: string | null; readonly key: string | undefined },
  dialect: string,
): Promise<boolean> {
  if (base_url === null || key === undefined || !authMethods.some(({ id }) => id === gatewayMethod))
    return false
  const headers = { Authorization: `Bearer ${key}` }
  // Google's clients ask for the name of their protocol as well.
  const protocol = dialect === 'generate_content' ? { protocol: 'google' } : {}
  await agent.request(methods.agent.authenticate, {
    methodId: gatewayMethod,
    _meta: { gateway: { baseUrl: base_url, headers, ...protocol } },
  })
  return true
}

const quietMs = 500

/**
 * Opens the session of an earlier run, or a fresh one. Whatever an agent replays meanwhile is dropped: the record is the
 * platform's. Any refusal leads to a fresh session.
 */
export async function openAgentSession(parts: Opening): Promise<OpenedSession> {
  const opening = open(parts)
  // One that never answers would leave the sandbox starting for ever.
  if (await settled(daemonLimits.runtimeReadyMs, opening)) return opening
  throw new Error('The agent introduced itself and then opened no session')
}

interface OpenedSession {
  readonly session_id: string
  readonly opened: Opened
  /** The reason that it is not the session of the earlier run; null where it is, or where there was none. */
  readonly lost: string | null
}

interface Opening {
  readonly connection: Pick<ClientConnection, 'agent'>
  readonly initialized: Initialized
  readonly launch: HarnessLaunch
  readonly known: string | null
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** The whole environment of the program. */
  readonly agent_env: Readonly<Record<string, string>>
  /** The time at which the last line of the agent came. */
  readonly lastLine: () => number
}

async function open(parts: Opening): Promise<OpenedSession> {
  const { initialized, launch, known, workspace } = parts
  const { agent } = parts.connection
  const { loadSession = false, sessionCapabilities } = initialized.agentCapabilities ?? {}
  const given = {
    cwd: workspace,
    mcpServers: executorServers(parts),
    ...sessionMeta(launch, parts.agent_env),
  }
  const method =
    known === null || !launch.resume
      ? null
      : sessionCapabilities?.resume != null
        ? methods.agent.session.resume
        : loadSession
          ? methods.agent.session.load
          : null
  let lost: string | null =
    known === null
      ? null
      : launch.resume
        ? 'it cannot open an earlier one'
        : 'it knows nothing of an earlier one'
  if (method !== null && known !== null) {
    try {
      if (launch.dated_records !== null) await setRecordAside(join(parts.home, launch.dated_records), known)
      const answer = await agent.request<unknown>(method, { sessionId: known, ...given })
      const opened = Opened.parse(answer ?? {})
      await quiet(parts.lastLine)
      return { session_id: known, opened, lost: null }
    } catch (error) {
      if (needsAuthentication(error)) throw error
      lost = reasonOf(error)
    }
  }
  const answer = await agent.request<unknown>(methods.agent.session.new, given)
  const opened = Opened.parse(answer)
  if (opened.sessionId === undefined) throw new Error('The agent opened a session without an id')
  return { session_id: opened.sessionId, opened, lost }
}

async function quiet(lastLine: () => number): Promise<void> {
  for (;;) {
    const left = lastLine() + quietMs - Date.now()
    if (left <= 0) return
    await pause(left)
  }
}
