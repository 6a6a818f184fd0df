import { open, stat } from 'node:fs/promises'
import { logTail, maxTailBytes } from '../../../shared/log-tail.ts'

const maxBytes = 4 * 1024 * 1024
const keptBytes = 256 * 1024

/** The end of the log, as text. */
export async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return ''
  try {
    // One byte more shows that it was cut.
    return logTail(await readEnd(file, maxTailBytes + 1))
  } finally {
    await file.close()
  }
}

/**
 * Keeps the log from filling the disk. The sandbox's processes hold it open for appending, so it is cut in place and
 * they go on at its new end.
 */
export async function capLog(path: string, max = maxBytes, kept = keptBytes): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= max) return
  const file = await open(path, 'r+')
  try {
    const end = await readEnd(file, kept)
    await file.truncate(0)
    await file.write(end, 0, end.length, 0)
  } finally {
    await file.close()
  }
}

async function readEnd(file: Awaited<ReturnType<typeof open>>, bytes: number): Promise<Buffer> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(Math.min(bytes, size))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length)
  return buffer.subarray(0, bytesRead)
}
