import { createHash } from 'node:crypto'
import { parsePktLines } from './pkt-lines.ts'

/** The lines that say how to answer and not what: the client's name, and the id of its run. */
const aside = /^(agent|session-id)=/

const fixed =
  /^(command=fetch|object-format=sha(1|256)|thin-pack|no-progress|include-tag|ofs-delta|sideband-all|done|want [0-9a-f]{40,64}|deepen [0-9]+|deepen-relative|filter [ -~]+)$/

/**
 * One name for all requests of protocol version 2 that ask for the same pack from nothing: a clone, whole, shallow or
 * partial. Null for a request whose answer depends on what the client has, or on where a ref points by now.
 */
export function cloneKey(body: Buffer): string | null {
  const lines = parsePktLines(body)
  if (lines === null) return null
  const texts = lines.filter((line) => typeof line === 'string').filter((line) => !aside.test(line))
  if (texts[0] !== 'command=fetch' || !texts.includes('done') || !texts.every((line) => fixed.test(line)))
    return null
  return createHash('sha256').update(texts.join('\n')).digest('hex')
}
