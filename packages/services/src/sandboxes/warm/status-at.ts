import type { SandboxEndpoint } from '@svc/sandbox'
import { z } from 'zod'
import { askDaemon } from '../daemon-client.ts'

const Health = z.object({ status: z.string() })

/** The status that a daemon reports, `warm` while it waits for a session; null when it does not answer. */
export async function statusAt(endpoint: SandboxEndpoint): Promise<string | null> {
  const ask = { method: 'GET', path: '/svc/health', timeout_ms: 5_000 } as const
  const answer = await askDaemon(endpoint, ask).catch(() => null)
  return Health.safeParse(answer?.body).data?.status ?? null
}
