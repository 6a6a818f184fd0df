import type { ConnectorAction } from '@svc/connector'
import type { CallOptions, Target, UpstreamOutcome } from '../../shapes.ts'
import type { McpOptions } from './session.ts'

type Redact = McpOptions['redact']

/** The end of a call without the values of its credential. */
export function redactedOutcome(outcome: UpstreamOutcome, target: Target, redact: Redact): UpstreamOutcome {
  const { text, json } = redact(target.credential)
  if (outcome.ok) return { ...outcome, data: json(outcome.data) }
  const data = outcome.data === undefined ? {} : { data: json(outcome.data) }
  return { ...outcome, message: text(outcome.message), ...data }
}

/** The options of a call whose notes of progress hold no value of the credential. */
export function redactedProgress(
  { onProgress, ...options }: CallOptions,
  target: Target,
  redact: Redact,
): CallOptions {
  if (onProgress === undefined) return options
  const { text } = redact(target.credential)
  return { ...options, onProgress: (note) => onProgress(text(note)) }
}

/** A catalogue in which a server cannot hand a credential on to those who read its descriptions. */
export function redactedActions(
  actions: readonly ConnectorAction[],
  target: Target,
  redact: Redact,
): readonly ConnectorAction[] {
  const { text, json } = redact(target.credential)
  return actions.map((action) => ({
    ...action,
    title: action.title === null ? null : text(action.title),
    description: text(action.description),
    input_schema: objectOf(json(action.input_schema)),
  }))
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
