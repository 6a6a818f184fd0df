import { createFile } from '@svc/files'
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const pattern = /^sbx_[0-9a-f]{32}$/

/** As long as every id. */
export const anyExternalId = `sbx_${'0'.repeat(32)}`

/** A sandbox's id: the same on every process of a machine, and not to be guessed without the folder's key. */
export function externalIdOf(key: Buffer, scope: string, sandboxId: string): string {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([scope, sandboxId]))
    .digest('hex')
  return `sbx_${digest.slice(0, 32)}`
}

/** Ids become folder names; anything else names no sandbox of ours. */
export function isExternalId(text: string): boolean {
  return pattern.test(text)
}

/** The folder's key, made by the first process that asks for it. */
export async function loadKey(root: string): Promise<Buffer> {
  const path = join(root, '.key')
  await createFile(path, randomBytes(32))
  return readFile(path)
}
