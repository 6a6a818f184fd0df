import { ServiceError } from '@svc/errors'
import { modelText } from '@svc/models'
import type { Candidate } from './candidates.ts'

/** The refusal of a call that no candidate can be asked for. */
export function noCandidate(unread: Candidate | undefined, probe_at: Date | null, now: Date): Error {
  if (unread !== undefined)
    return new ServiceError(
      'model_refused',
      `${modelText(unread.name)} makes no embeddings; name a model that does`,
    )
  const wait = probe_at === null ? 30_000 : probe_at.getTime() - now.getTime()
  const retry_after = Math.max(1, Math.ceil(wait / 1_000))
  return new ServiceError(
    'model_unavailable',
    `Every way to this model has failed in the last minute; try again in ${retry_after} s`,
    { retry_after },
  )
}
