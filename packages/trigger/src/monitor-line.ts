import { monitorLimits } from './monitor-limits.ts'
import type { LifecycleKind } from './monitor-limits.ts'
import { triggerNames } from './payload.ts'
import { cutUtf8 } from './prompt.ts'
import type { Payload } from './template.ts'

const cutNote = ' [cut: longer than 8 KiB]'

/** A line of output as it is handed on: without its end, at most 8 KiB. `more` were left out of `bytes` already. */
export function monitorLine(bytes: Buffer, more = false): string {
  const { line_bytes } = monitorLimits
  const text = bytes.toString('utf8').replaceAll('\0', '\ufffd')
  if (!more && Buffer.byteLength(text) <= line_bytes) return text
  return cutUtf8(Buffer.from(text), line_bytes - cutNote.length) + cutNote
}

/** An object or an array in JSON is itself; every other line is `{ raw }`. */
export function lineValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // A line of text.
  }
  return { raw: text }
}

export interface MonitorFire {
  readonly slug: string
  readonly seq: number
  readonly emitted_at: Date
  /** The line, or the text of a lifecycle event. */
  readonly text: string
  /** Null for a line. */
  readonly lifecycle: LifecycleKind | null
}

export function monitorPayload({ slug, seq, emitted_at, text, lifecycle }: MonitorFire): Payload {
  return {
    ...triggerNames({ slug, type: 'monitor' }),
    line: lifecycle === null ? lineValue(text) : { raw: text },
    monitor: {
      slug,
      seq,
      emitted_at: emitted_at.toISOString(),
      kind: lifecycle === null ? 'event' : 'lifecycle',
      lifecycle,
    },
  }
}
