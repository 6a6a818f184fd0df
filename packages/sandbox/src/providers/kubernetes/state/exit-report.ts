import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'
import { exitWords } from '../../../shared/exit-words.ts'
import type { LastWords } from '../../../provider.ts'
import { containerOf, podStateOf } from './sandbox-state.ts'

/** How the sandbox ended by itself; null while it runs, and when somebody is ending it. */
export function exitOf(pod: V1Pod): string | null {
  if (podStateOf(pod) !== 'ended' || pod.metadata?.deletionTimestamp !== undefined) return null
  const ended = containerOf(pod)?.state?.terminated
  const { reason, message } = pod.status ?? {}
  if (reason !== undefined && ended === undefined) return withMessage(`${reason} by the cluster`, message)
  if (ended === undefined) return 'ended without a status'
  const words = exitWords(ended.exitCode)
  if (ended.reason === 'OOMKilled') return `${words}: it used more memory than its limit`
  return reason === 'Evicted' ? withMessage(`${words}, evicted by the cluster`, message) : words
}

function withMessage(words: string, message: string | undefined): string {
  return message === undefined || message === '' ? words : `${words}: ${message}`
}

const maxBytes = 8_192

/** The last 8 KiB, from a whole character on. */
export function tailOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= maxBytes) return text
  let start = bytes.length - maxBytes
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start).toString('utf8')
}

const Stored = z.object({ exit: z.string().nullable(), output: z.string() })

/** What `stop` wrote down of a sandbox that had ended by itself. */
export function readLastWords(text: string | undefined): LastWords {
  try {
    return Stored.parse(JSON.parse(text ?? ''))
  } catch {
    return { exit: null, output: '' }
  }
}
