import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inboxFolder } from '@svc/facts'
import { daemonLimits } from '../limits.ts'
import { refuse } from '../serving/answers.ts'
import { hideFromGit } from '../git/hide-from-git.ts'

export interface InboxFile {
  /** The message that it came with, by its id. */
  readonly message: string
  readonly name: string
  /** In hexadecimal. */
  readonly sha256: string
}

const line = `/${inboxFolder}/`

/** Keeps what comes with messages out of the agent's commits. */
export const hideInbox = (workspace: string): Promise<void> => hideFromGit(workspace, [line])

/**
 * Puts a file into the workspace, whole or not at all. One that is there already, with the same bytes, stays; another one of
 * its name is replaced. It can be read and written, and never run.
 */
export async function putInboxFile(
  workspace: string,
  { message, name, sha256 }: InboxFile,
  body: AsyncIterable<Uint8Array> | null,
): Promise<void> {
  const folder = await folderOf(workspace, message)
  await hideInbox(workspace)
  const place = join(folder, name)
  if ((await digestOf(place)) === sha256) return
  const part = join(folder, `.${randomUUID()}.part`)
  try {
    const written = await write(part, body)
    if (written !== sha256) refuse(400, 'The file did not come as it was sent; send it again', 'broken_file')
    await rename(part, place).catch(async () => {
      await rm(place, { recursive: true, force: true })
      await rename(part, place)
    })
  } finally {
    await rm(part, { force: true })
  }
}

/** Each folder on the way is one of the workspace: the agent may have put a link in its place. */
async function folderOf(workspace: string, message: string): Promise<string> {
  let folder = await realpath(workspace)
  for (const part of [...inboxFolder.split('/'), message]) {
    folder = join(folder, part)
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      const isFolder = (await lstat(folder)).isDirectory()
      if (!isFolder)
        refuse(
          409,
          `${inboxFolder} cannot be made: ${part} is no folder in this workspace; remove what is there`,
          'no_inbox',
        )
    })
  }
  return folder
}

async function write(path: string, body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'w', 0o644)
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > daemonLimits.inboxFileBytes)
        refuse(413, 'The file is too large; send a smaller one', 'payload_too_large')
      hash.update(chunk)
      await file.write(chunk)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** Null for what is no file. */
async function digestOf(path: string): Promise<string | null> {
  const info = await lstat(path).catch(() => null)
  if (info?.isFile() !== true || info.size > daemonLimits.inboxFileBytes) return null
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
