import type { Session, SessionRuntime } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'

/** The program that is a session's agent, with its version. */
export function harnessText({ harness, harness_version }: Session): string {
  return oneLine(harness_version === null ? harness : `${harness} ${harness_version}`)
}

/** The abilities that a session of this program lacks, as people say it; null where it has not described itself yet. */
export function lacks({ capabilities, protocol_version }: SessionRuntime): string | null {
  const { revert, resume, images, questions, permissions, commands, mcp } = capabilities
  // A program that never came up has none of them on record; servers of the platform's own resume, and speak no protocol.
  if (protocol_version === null && !resume) return null
  const missing = [
    [revert, 'take a prompt back'],
    [resume, 'go on with its own memory after a new start'],
    [images, 'look at images'],
    [questions, 'ask questions'],
    [permissions !== 'never', 'ask before its tools act'],
    [commands, 'take commands'],
    [mcp.length > 0, 'have connectors as tools'],
  ] as const
  return missing
    .filter(([has]) => !has)
    .map(([, words]) => words)
    .join(', ')
}
