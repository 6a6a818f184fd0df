import { replaceFile } from '@svc/files'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file that only its owner reads. A linked file stays a link. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await replaceFile(target, text)
}
