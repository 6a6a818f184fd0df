import { daemonLimits } from '../../limits.ts'
import { cleanText, cleanValue } from '../../shared/clean.ts'
import type { RuntimeMessage, TurnRecord } from '../runtime.ts'
import type { MessageInfo, Part, StoredMessage, ToolPart } from './schemas.ts'

/** A person's or the platform's abort is how a turn ended, not what went wrong. */
export const abortedName = 'MessageAbortedError'

export function errorText(error: MessageInfo['error']): string | null {
  if (!error) return null
  const words = (error.data?.message ?? error.name).replace(/(\n\s+at [^\n]*)+\s*$/, '')
  return cleanText(words, daemonLimits.messageChars)
}

/** The text of a message, without the text that the runtime slips in for the model. */
export function textOf(parts: readonly Part[]): string {
  const said = parts.flatMap((part) =>
    part.type === 'text' && !part.synthetic && !part.ignored ? [part.text] : [],
  )
  return cleanText(said.join('\n'), daemonLimits.messageChars)
}

export function toolOf(part: ToolPart) {
  const { status, title, input } = part.state
  const output = status === 'error' ? part.state.error : part.state.output
  return {
    tool: part.tool,
    status,
    title: title === undefined || title === '' ? null : cleanText(title, 1000),
    input: cleanValue(input ?? null, daemonLimits.toolChars),
    output: output === undefined ? null : cleanText(output, daemonLimits.toolChars),
  }
}

/** The end of what a running command has printed; null where the runtime does not tell of it. */
export function outputTailOf({ state: { status, metadata } }: ToolPart): string | null {
  const output = metadata?.output ?? ''
  if (status !== 'running' || output === '') return null
  return cleanText(output.slice(-daemonLimits.outputTailChars), daemonLimits.outputTailChars)
}

/** The duration of a call, and the exit code of a command. */
export function endOf({ state: { time, metadata } }: ToolPart) {
  return {
    ...(typeof metadata?.exit === 'number' ? { exit_code: metadata.exit } : {}),
    ...(time?.start === undefined || time.end === undefined ? {} : { duration_ms: time.end - time.start }),
  }
}

export function runtimeMessage({ info, parts }: StoredMessage): RuntimeMessage {
  return {
    message_id: info.id,
    role: info.role,
    at: new Date(info.time.created).toISOString(),
    text: textOf(parts),
    tools: parts.flatMap((part) => (part.type === 'tool' ? [toolOf(part)] : [])),
    error: errorText(info.error),
  }
}

/** Ids ascend with time, so that "after the marker" is a comparison. */
export function turnRecordOf(stored: readonly StoredMessage[], marker: string | null): TurnRecord {
  const answers = stored
    .map(({ info }) => info)
    .filter((info) => info.role === 'assistant' && (marker === null || info.id > marker))
  const last = answers.at(-1)
  const aborted = last?.error?.name === abortedName
  return {
    answered: last !== undefined && (last.time.completed !== undefined || last.error !== undefined),
    aborted,
    error: aborted ? null : errorText(last?.error),
  }
}
