import type { sessionSummaries } from '@svc/db'
import { visibleText } from '@svc/facts'

type Shown = Pick<
  sessionSummaries.SummaryRow,
  'state' | 'status' | 'stop_reason' | 'failure' | 'ask' | 'tool'
>

/** The phrase of what a session does or waits for, in a few words. */
export function sessionPhrase({ state, status, stop_reason, failure, ask, tool }: Shown): string {
  switch (state) {
    case 'waiting':
      return ask === null ? 'Waits for an answer' : askPhrase(ask.kind, ask.body, ask.command)
    case 'working':
      return tool === null ? 'Works on a prompt' : toolPhrase(tool)
    case 'starting':
      return status === 'provisioning' ? 'Its sandbox is on the way' : 'Waits for its start'
    case 'idle':
      return 'Ready for a prompt'
    case 'stopped':
      return stop_reason === null ? 'Stopped' : stopPhrases[stop_reason]
    case 'failed':
      return failure === null ? 'Failed' : oneLine(failure.message)
  }
}

const stopPhrases = {
  user: 'Stopped by a person',
  idle: 'Stopped after a rest',
  sandbox_exited: 'Its sandbox ended',
  platform_shutdown: 'Stopped with the platform',
  deleted: 'Deleted',
  operator: 'Stopped by the operator',
} as const satisfies Record<NonNullable<sessionSummaries.SummaryRow['stop_reason']>, string>

/**
 * The ask of an agent in one line; the whole of it stands in the ask. The command of the call that waits is told where it is
 * known: its parts are what a rule would cover, not what runs.
 */
export function askPhrase(kind: string, body: Readonly<Record<string, unknown>>, command?: unknown): string {
  if (kind === 'question') {
    const first: unknown = Array.isArray(body['questions']) ? body['questions'][0] : null
    const text = typeof first === 'object' && first !== null && 'question' in first ? first.question : null
    return typeof text === 'string' && text.trim() !== '' ? oneLine(text) : 'Asks a question'
  }
  if (typeof command === 'string' && command.trim() !== '') return oneLine(`Wants to run ${command}`)
  const { permission, patterns } = body
  const what = Array.isArray(patterns) ? patterns.filter((each) => typeof each === 'string').join('; ') : ''
  const name = typeof permission === 'string' ? permission : 'go on'
  if (what === '') return `Wants to use ${name}`
  return oneLine(name === 'bash' ? `Wants to run ${what}` : `Wants to use ${name}: ${what}`)
}

function toolPhrase({ tool, title, command }: NonNullable<Shown['tool']>): string {
  const name = typeof tool === 'string' ? tool : 'tool'
  const what = [command, title].find((text) => typeof text === 'string' && text.trim() !== '')
  return oneLine(what === undefined ? name : `${name}: ${String(what)}`)
}

/** The text on one line of at most 200 characters, which shows what it is. */
export function oneLine(text: string): string {
  const line = visibleText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`
}
