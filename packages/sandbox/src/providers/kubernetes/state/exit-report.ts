import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'
import { limitExceeded } from '../../../shared/limit-exceeded.ts'
import { exitWords } from '../../../shared/exit-words.ts'
import type { ExitReport } from '../../../provider.ts'
import { containerOf, podStateOf } from './sandbox-state.ts'

/** The end of a sandbox that ended by itself; null while it runs, and while its pod is being deleted. */
export function exitOf(pod: V1Pod): string | null {
  if (podStateOf(pod) !== 'ended' || pod.metadata?.deletionTimestamp !== undefined) return null
  const ended = containerOf(pod)?.state?.terminated
  const { reason, message } = pod.status ?? {}
  if (reason !== undefined && ended === undefined) return withMessage(`${reason} by the cluster`, message)
  if (ended === undefined) return 'ended without a status'
  const words = exitWords(ended.exitCode)
  if (ended.reason === 'OOMKilled') return limitExceeded('memory', memoryLimitOf(pod))
  return reason === 'Evicted' ? withMessage(`${words}, evicted by the cluster`, message) : words
}

/** The memory limit of the pod's manifest, in mebibytes. */
function memoryLimitOf({ spec }: V1Pod): number | undefined {
  const text = spec?.containers[0]?.resources?.limits?.['memory']
  return text?.endsWith('Mi') === true ? Number.parseInt(text, 10) : undefined
}

function withMessage(words: string, message: string | undefined): string {
  return message === undefined || message === '' ? words : `${words}: ${message}`
}

const Stored = z.object({ exit: z.string().nullable(), output: z.string() })

/** Reads the exit report that `stop` wrote down of a sandbox that had ended by itself. */
export function readExitReport(text: string | undefined): ExitReport {
  try {
    return Stored.parse(JSON.parse(text ?? ''))
  } catch {
    return { exit: null, output: '' }
  }
}
