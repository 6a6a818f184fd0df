import type { Readable } from 'node:stream'
import { monitorLine, monitorLimits } from '@svc/trigger'
import { pause } from '../shared/backoff.ts'

const tickMs = 100
const linesPerTick = 200
const bytesPerTick = 1024 * 1024
const newline = 10

/**
 * Reads a command's output line by line and no faster than it is taken, nor than a steady pace: a command that never
 * stops printing waits on its pipe and costs neither memory nor a processor. Blank lines are nothing.
 */
export async function readLines(
  output: Readable,
  take: (line: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let held: Buffer[] = []
  let heldBytes = 0
  let more = false
  let lines = 0
  let bytes = 0

  const hold = (part: Buffer): void => {
    const room = monitorLimits.line_bytes + 1 - heldBytes
    if (part.length > room) more = true
    if (room <= 0 || part.length === 0) return
    // A copy, so that the rest of a large chunk does not stay in memory.
    held.push(Buffer.from(part.subarray(0, room)))
    heldBytes += Math.min(part.length, room)
  }
  const end = async (): Promise<void> => {
    const line = monitorLine(trimReturn(Buffer.concat(held)), more)
    held = []
    heldBytes = 0
    more = false
    if (line.trim() !== '') await take(line)
  }
  const pace = async (): Promise<void> => {
    if (lines < linesPerTick && bytes < bytesPerTick) return
    lines = 0
    bytes = 0
    await pause(tickMs, signal)
  }

  for await (const chunk of output) {
    const part: Buffer = chunk
    let from = 0
    for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, from)) {
      hold(part.subarray(from, at))
      from = at + 1
      lines += 1
      await end()
      await pace()
      if (signal.aborted) return
    }
    hold(part.subarray(from))
    bytes += part.length
    await pace()
    if (signal.aborted) return
  }
  if (heldBytes > 0) await end()
}

function trimReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line
}
