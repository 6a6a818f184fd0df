import type { Readable } from 'node:stream'
import { ServiceError } from '@svc/errors'
import { collect } from './collect.ts'

const maxCommands = 1_000
const maxBytes = 1024 * 1024

/**
 * The branches that a push names (gitprotocol-pack, update-requests), read before git reads them; the body is as it was
 * afterwards. A body that does not read as commands is refused, so that git meets no command that is not seen here.
 */
export async function pushedBranches(body: Readable, moved: (bytes: number) => void): Promise<string[]> {
  for await (const { size, bytes } of collect(body, moved)) {
    const read = bytes()
    const refs = readCommands(read)
    if (refs !== null) {
      body.unshift(read)
      return refs.filter((ref) => ref.startsWith(heads)).map((ref) => ref.slice(heads.length))
    }
    if (size > maxBytes) throw tooMany()
  }
  throw unreadable()
}

const heads = 'refs/heads/'
const command = /^[0-9a-f]{40} [0-9a-f]{40} (.+)$/s

/** The refs of the commands; null while their end has not come yet. */
function readCommands(body: Buffer): string[] | null {
  const refs: string[] = []
  for (let at = 0; at + 4 <= body.length;) {
    const digits = body.toString('latin1', at, at + 4)
    if (digits === '0000') return refs
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length <= 4) throw unreadable()
    if (at + length > body.length) return null
    const line = body.toString('utf8', at + 4, at + length).replace(/\n$/, '')
    if (!/^shallow [0-9a-f]{40}$/.test(line)) refs.push(refOf(line))
    if (refs.length > maxCommands) throw tooMany()
    at += length
  }
  return null
}

function refOf(line: string): string {
  // Behind the NUL the client lists its capabilities.
  const [said = ''] = line.split('\0')
  const ref = command.exec(said)?.[1]
  if (ref === undefined) throw unreadable()
  return ref
}

const unreadable = () =>
  new ServiceError('invalid_request', 'This does not read as a push of git; send it with git push')
const tooMany = () =>
  new ServiceError(
    'invalid_request',
    `This credential pushes at most ${maxCommands} refs at once; push fewer`,
  )
