import type { CallOptions, Target } from '../../src/index.ts'

type Connector = Target['connector']

export function mcpTarget(
  url: string,
  more: Partial<Omit<Target, 'connector'>> & { transport?: 'http' | 'sse' } = {},
): Target {
  const { transport = 'http', ...rest } = more
  const connector: Connector = {
    slug: 'tools',
    name: 'Tools',
    provider: 'mcp',
    url,
    transport,
    authorization_strategy: 'project',
    auth: null,
    headers: { 'X-Team': 'blue' },
    policies: [],
    default_action: 'risk',
    timeout_seconds: 60,
    idempotency_header: null,
    oauth: { client_id: null, scopes: [] },
    inline: true,
  }
  return { connector, credential: null, external_ref: null, readFile: async () => null, ...rest }
}

/** Options of a call, with the moments at which it was about to be sent. */
export function callOptions(more: Partial<CallOptions> = {}) {
  const sends: number[] = []
  const options: CallOptions = {
    signal: AbortSignal.timeout(60_000),
    beforeSend: async () => void sends.push(Date.now()),
    idempotency_key: 'key-1',
    ...more,
  }
  return { options, sends }
}
