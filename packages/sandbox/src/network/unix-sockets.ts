import { randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SandboxError } from '../sandbox-error.ts'

/** The longest path that a unix socket may have on Linux, in bytes. */
const maxPath = 107

/** Refuses a folder of sandboxes below which one of these sockets would have too long a path. */
export function requireShortPaths(root: string, sockets: readonly string[]): void {
  const excess = Math.max(...sockets.map((path) => Buffer.byteLength(path))) - maxPath
  if (excess <= 0) return
  throw new SandboxError(
    'internal',
    `The folder of sandboxes, ${root}, is ${excess} characters too long for the sockets in it: choose a data folder with a shorter path.`,
  )
}

/** A socket's path as the URL of an endpoint. */
export function socketUrl(path: string): string {
  return pathToFileURL(path).href.replace(/^file:/, 'unix:')
}

/** A new socket in the folder: each process has one. */
export function newSocketPath(folder: string): string {
  return join(folder, randomBytes(3).toString('hex'))
}

/** Removes the sockets of processes that are gone. */
export async function removeUnserved(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  await Promise.all(
    paths.map(async (path) => {
      if (!(await isServed(path))) await unlink(path).catch(() => undefined)
    }),
  )
}

/** True when a process serves the socket. */
export function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const done = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => done(true)).once('error', () => done(false))
  })
}
