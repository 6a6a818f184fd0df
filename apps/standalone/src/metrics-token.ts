import { createFile } from '@svc/files'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { StartError } from './start-error.ts'

/**
 * The token that Prometheus shows at `/metrics`, from a file that only the platform's user reads: sandboxes of the
 * provider `process` share the loopback that it listens on.
 */
export async function metricsToken(path: string): Promise<string> {
  await createFile(path, randomBytes(32).toString('hex'))
  const token = (await readFile(path, 'utf8')).trim()
  if (token.length < 16)
    throw new StartError(`${path} holds no token for the metrics; remove it, and one is made`)
  return token
}
