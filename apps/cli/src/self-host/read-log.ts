import { open, readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 200

/** The last lines of a log; null without one. */
export async function lastLines(file: string, count: number): Promise<string[] | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.slice(Math.max(0, lines.length - count))
}

/** The text added to a file from a position on, also after the file was begun anew, until the signal aborts. */
export async function* follow(file: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let at = from
  while (!signal.aborted) {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    )
    if (size < at) at = 0
    if (size > at) {
      yield await part(file, at, size)
      at = size
    } else await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

export async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

async function part(file: string, start: number, end: number): Promise<string> {
  const handle = await open(file)
  try {
    const buffer = Buffer.alloc(end - start)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
