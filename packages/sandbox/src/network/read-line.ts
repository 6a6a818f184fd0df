import type { Socket } from 'node:net'

const maxLength = 512
const timeoutMs = 10_000

/** Takes the first line off the connection and leaves the rest unread. Null when none comes in time. */
export function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0)
    const finish = (line: string | null): void => {
      clearTimeout(timer)
      socket.off('readable', read).off('end', giveUp).off('close', giveUp)
      resolve(line)
    }
    const giveUp = (): void => finish(null)
    const read = (): void => {
      const chunk: unknown = socket.read()
      if (!Buffer.isBuffer(chunk)) return
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\n')
      if (end < 0) return seen.length > maxLength ? giveUp() : undefined
      if (end + 1 < seen.length) socket.unshift(seen.subarray(end + 1))
      finish(seen.subarray(0, end).toString('latin1'))
    }
    const timer = setTimeout(giveUp, timeoutMs)
    socket.on('readable', read).once('end', giveUp).once('close', giveUp)
  })
}
