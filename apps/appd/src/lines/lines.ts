import type { ProgramLine } from '@svc/sandbox/guest'
import { createMask, maskReach } from './mask.ts'
import { createRate } from './rate.ts'
import { splitLines } from './split-lines.ts'

export const maxLineBytes = 8 * 1024
const cutMark = ' … (cut)'
const maxLines = 5_000
const maxKeptBytes = 4 * 1024 * 1024
const maxPerSecond = 1_000

type Stream = ProgramLine['stream']

/** The lines of a program, the last of them kept. */
export interface Lines {
  /** A place for the bytes of one stream of one run. */
  stream(stream: Stream): { push(chunk: Buffer): void; end(): void }
  /** A line of `svc-appd` itself. */
  say(text: string): void
  /** Values that are shown as `[NAME]` from now on. */
  mask(masked: Readonly<Record<string, string>>): void
  after(number: number, limit: number): readonly ProgramLine[]
  /** Resolves with the next line, or once the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
  last(): number
  /** The end of what was printed, in at most so many characters. */
  tail(characters: number): string
  close(): void
}

export function createLines(now: () => Date = () => new Date()): Lines {
  let kept: ProgramLine[] = []
  let keptBytes = 0
  let count = 0
  let mask = createMask({})
  let reach = 0
  const waiting = new Set<() => void>()

  const add = (stream: Stream, line: string): void => {
    count += 1
    kept.push({ number: count, at: now().toISOString(), stream, line })
    keptBytes += line.length
    if (kept.length > 2 * maxLines || keptBytes > 2 * maxKeptBytes) shorten()
    for (const wake of waiting) wake()
  }
  /** Now and then, and not for each line: it copies what is kept. */
  const shorten = (): void => {
    let bytes = 0
    let from = kept.length
    while (from > Math.max(0, kept.length - maxLines)) {
      bytes += kept[from - 1]?.line.length ?? 0
      if (bytes > maxKeptBytes) break
      from -= 1
    }
    kept = kept.slice(from)
    keptBytes = kept.reduce((sum, { line }) => sum + line.length, 0)
  }
  const rate = createRate(maxPerSecond, (dropped) =>
    add(
      'stderr',
      `svc-appd: ${dropped.toLocaleString('en-US')} lines are left out here: more than ${maxPerSecond.toLocaleString('en-US')} came in a second`,
    ),
  )
  const print = (stream: Stream, bytes: Buffer, whole: boolean): void => {
    if (!rate.admits()) return
    // Counted in what was printed: what masks make shorter is not to show more of a value that was cut off.
    const limit = bytes.toString('utf8', 0, maxLineBytes).length
    const { text, cut } = mask(bytes.toString('utf8'), limit)
    const line = inBytes(text)
    add(stream, cut || !whole || line !== text ? `${line}${cutMark}` : line)
  }
  return {
    stream: (stream) => splitLines(maxLineBytes + 4 * reach, (bytes, whole) => print(stream, bytes, whole)),
    say: (text) => add('stderr', `svc-appd: ${text}`),
    mask: (masked) => {
      mask = createMask(masked)
      reach = maskReach(masked)
    },
    after: (number, limit) => {
      const first = count - kept.length
      return kept.slice(Math.max(0, number - first)).slice(0, limit)
    },
    next: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal.addEventListener('abort', done, { once: true })
        if (signal.aborted) done()
      }),
    last: () => count,
    tail: (characters) => {
      const lines: string[] = []
      let length = 0
      for (let index = kept.length - 1; index >= 0 && length <= characters; index -= 1) {
        const { line = '' } = kept[index] ?? {}
        lines.unshift(line)
        length += line.length + 1
      }
      return lines.join('\n').slice(-characters).trim()
    },
    close: rate.close,
  }
}

/** As much of a text as `maxLineBytes` hold, from whole characters. */
function inBytes(text: string): string {
  if (text.length * 3 <= maxLineBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxLineBytes) return text
  let end = maxLineBytes
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
