import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import type { CloneCredential } from '../platform/platform-api.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { credentialAnswer, parseCredentialRequest } from './credential.ts'

export interface CredentialSocket {
  readonly path: string
  close(): void
}

/** The kernel allows no longer name. */
const maxPathLength = 100
const requestBytes = 16 * 1024

/**
 * Answers the credential helper on a socket that only this user reaches, so that git gets what it needs while the
 * service key stays out of the agent's environment.
 */
export async function openCredentialSocket(
  wanted: string,
  credential: () => Promise<CloneCredential>,
  log: Log,
): Promise<CredentialSocket> {
  const path = wanted.length <= maxPathLength ? wanted : join(mkdtempSync(join(tmpdir(), 'svc-')), 'git.sock')
  makeFolder(dirname(path), 0o700)
  rmSync(path, { force: true })

  const answer = async (text: string): Promise<string> => {
    try {
      const given = await credential()
      log.hide(given.auth?.token)
      return credentialAnswer(given, parseCredentialRequest(text))
    } catch (error) {
      log.warn('no clone credential', { error })
      return ''
    }
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > requestBytes) socket.destroy()
    })
    socket.on('end', () => void answer(text).then((reply) => socket.end(reply)))
  })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, 0o600)
  return {
    path,
    close: () => {
      server.close()
      rmSync(path, { force: true })
    },
  }
}
