import { replaceFile } from '@svc/files'
import { readFile } from 'node:fs/promises'
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
  // Not flushed: the start of a sandbox waits for it.
  await replaceFile(path, JSON.stringify(record, null, 2), { flush: false })
}
