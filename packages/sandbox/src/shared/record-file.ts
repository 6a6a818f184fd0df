import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { errorCode, SandboxError } from '../sandbox-error.ts'

/** Null when there is no such sandbox. */
export async function readRecordFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new SandboxError('internal', `A sandbox's record cannot be read: ${path}`, { cause })
  }
}

/** Holds the environment, and with it secrets: for the platform's eyes only, and never half written. */
export async function writeRecordFile(path: string, record: object): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(record, null, 2), { mode: 0o600 })
  await rename(draft, path)
}
