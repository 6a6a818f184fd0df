import { createHash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { controlWord } from '@svc/sandbox/guest'

const word = Buffer.from(controlWord)
const maxLine = 512
const timeoutMs = 10_000

export type Greeting = 'control' | 'visitor' | 'refused'

/** Reads whose a new connection is, and leaves what belongs to its work unread. */
export function greet(socket: Socket, key: string): Promise<Greeting> {
  return new Promise((resolve) => {
    let seen: Buffer = Buffer.alloc(0)
    let timer: NodeJS.Timeout | undefined
    const finish = (greeting: Greeting, rest: Buffer): void => {
      clearTimeout(timer)
      socket.off('readable', read).off('end', giveUp).off('close', giveUp)
      if (rest.length > 0) socket.unshift(rest)
      resolve(greeting)
    }
    const giveUp = (): void => finish('refused', Buffer.alloc(0))
    const read = (): void => {
      const chunk: unknown = socket.read()
      if (!Buffer.isBuffer(chunk)) return
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
      const length = Math.min(word.length, seen.length)
      if (!seen.subarray(0, length).equals(word.subarray(0, length))) return finish('visitor', seen)
      const end = seen.indexOf('\n')
      if (end >= 0) {
        const token = seen.subarray(word.length, end).toString('utf8')
        return finish(isToken(token, key) ? 'control' : 'refused', seen.subarray(end + 1))
      }
      if (seen.length > maxLine) return giveUp()
      timer ??= setTimeout(giveUp, timeoutMs)
    }
    socket.on('readable', read).once('end', giveUp).once('close', giveUp)
  })
}

/** In the same time for every token. */
function isToken(token: string, key: string): boolean {
  const wanted = Buffer.from(key, 'hex')
  const found = createHash('sha256').update(token).digest()
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
