import { readFile } from 'node:fs/promises'
import type { BaseContext } from '@svc/context'
import { type Db, withLock } from '@svc/db'
import { replaceFile } from '@svc/files'
import { z } from 'zod'
import { ensureFirstAccount } from './ensure-first-account.ts'

const BootstrapFile = z.object({
  api_url: z.string(),
  dashboard_url: z.string(),
  account_id: z.string(),
  user_id: z.string(),
  token: z.string(),
})
export type BootstrapFile = z.infer<typeof BootstrapFile>

/** The file of an earlier start; null when there is no usable one. */
export async function readBootstrap(path: string): Promise<BootstrapFile | null> {
  try {
    return BootstrapFile.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

interface BootstrapParts {
  readonly ctx: Pick<BaseContext, 'db' | 'now' | 'newId'>
  readonly locks: Db
}

/** Makes sure of the first account, and keeps its owner's token in a file that only this user can read. */
export async function bootstrap(
  { ctx, locks }: BootstrapParts,
  path: string,
  origin: string,
): Promise<BootstrapFile> {
  return withLock(locks, 'bootstrap', async () => {
    const first = await ensureFirstAccount(ctx, await readBootstrap(path))
    const file = { api_url: `${origin}/v1`, dashboard_url: `${origin}/dashboard/`, ...first }
    await replaceFile(path, `${JSON.stringify(file, null, 2)}\n`)
    return file
  })
}
