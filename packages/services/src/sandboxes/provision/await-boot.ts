import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxProvider, SandboxEndpoint } from '@svc/sandbox'
import { sessionLimits } from '@svc/session'
import { z } from 'zod'
import { askDaemon } from '../daemon-client.ts'
import { BootError } from './failure.ts'
import { withLogTail } from '../log-tail.ts'

const Health = z.object({
  error: z.string().nullish(),
  repo: z.object({ state: z.string(), error: z.string().nullish() }),
})

/** The pause between two requests to a daemon that does not answer yet. */
const pollMs = 20
/** A daemon keeps its answer back this long while it clones; `isUnwanted` is asked as often. */
const waitMs = 1_000

const wayOut =
  'If starting it again does not help, restart it: a new sandbox gets the work that was saved last'

interface BootInput {
  readonly provider: SandboxProvider
  readonly external_id: string
  readonly endpoint: SandboxEndpoint
  /** It has run before: its files may be what stands in the way. */
  readonly has_run: boolean
  readonly signal: AbortSignal
  /** True once the session does not want this sandbox any more, as after a stop or a restart. */
  readonly isUnwanted: () => Promise<boolean>
  /** Milliseconds; the machine's clock where none is given. */
  readonly now?: () => number
}

/**
 * Waits until the daemon answers and has the repository checked out; says why when that cannot happen any more. A
 * daemon that says that it clones is waited for longer than a silent one.
 */
export async function awaitBoot(input: BootInput): Promise<'ready' | 'unwanted'> {
  const { now = Date.now } = input
  const end = now() + sessionLimits.cloneMs
  let lastSignAt = now()
  let looked = lastSignAt
  let clones = false
  while (now() < Math.min(end, lastSignAt + sessionLimits.bootMs)) {
    input.signal.throwIfAborted()
    const health = await readHealth(input.endpoint)
    if (health?.repo.state === 'ready') return 'ready'
    clones = health?.repo.state === 'cloning'
    if (clones) lastSignAt = now()
    if (health?.repo.state === 'failed') {
      const words = health.repo.error ?? health.error ?? 'The repository could not be cloned'
      const message = input.has_run ? `${words}. ${wayOut}` : words
      throw new BootError({ category: 'repository', message, retryable: true })
    }
    if (health === null) await requireAlive(input)
    if (now() - looked >= waitMs) {
      looked = now()
      if (await input.isUnwanted()) return 'unwanted'
    }
    await sleep(pollMs)
  }
  const { output } = await input.provider.exitReport(input.external_id)
  const what = clones ? 'The repository was not cloned in time' : 'The sandbox did not become ready in time'
  throw new BootError({ category: 'timeout', message: withLogTail(what, output), retryable: true })
}

async function readHealth(endpoint: SandboxEndpoint): Promise<z.infer<typeof Health> | null> {
  try {
    const answer = await askDaemon(endpoint, {
      method: 'GET',
      path: `/svc/health?wait_ms=${waitMs}`,
      timeout_ms: waitMs + 2_000,
    })
    return Health.nullable().catch(null).parse(answer.body)
  } catch {
    return null
  }
}

async function requireAlive({ provider, external_id }: BootInput): Promise<void> {
  const status = await provider.status(external_id)
  if (status === 'running' || status === 'unknown') return
  const { exit, output } = await provider.exitReport(external_id)
  throw new BootError({
    category: 'exited',
    message: withLogTail(`The sandbox ended while it booted (${exit ?? status})`, output),
    retryable: true,
  })
}
