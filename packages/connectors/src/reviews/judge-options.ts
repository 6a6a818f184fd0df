import type { ReviewKind } from '@svc/connector/states'
import type { ReviewOption } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** Refuses options that make no decision: two or more of different ids for one, none for an output. */
export function judgeOptions(kind: ReviewKind, options: readonly ReviewOption[]): void {
  if (kind === 'output' && options.length > 0)
    throw invalid('options', 'must be left out: an output is approved as it is; submit a `decision` instead')
  if (kind === 'decision' && options.length < 2)
    throw invalid('options', 'must be 2 to 9 options: a decision is between them')
  if (new Set(options.map(({ id }) => id)).size < options.length)
    throw invalid('options', 'must have different ids: a verdict names one of them')
}

/** The option of an approval; every decision has one, and nothing else has. */
export function judgeOption(
  kind: ReviewKind,
  options: readonly ReviewOption[],
  { verdict, option }: { readonly verdict: string; readonly option: string | undefined },
): string | null {
  if (verdict !== 'approve' || kind === 'output') {
    if (option === undefined) return null
    throw invalid('option', 'must be left out: only the approval of a decision names one')
  }
  if (option !== undefined && options.some(({ id }) => id === option)) return option
  throw invalid(
    'option',
    `must be one of ${options.map(({ id }) => id).join(', ')}: the approval of a decision names it`,
  )
}

export function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] })
}
