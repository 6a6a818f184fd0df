import { createHash, randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { errorCode, SandboxError } from '../sandbox-error.ts'
import { identify, isAlive } from './process-identity.ts'

const Owner = z.object({ pid: z.number(), began: z.string(), nonce: z.string() })

/** Longer than any one operation on a sandbox takes, so that waiting this long means something hangs. */
const timeoutMs = 120_000

/**
 * Runs `work` while this process alone holds the lock file. A lock whose process is dead is broken, under a second
 * lock that is named after the dead one's token: so only one waiter removes it, and never another's fresh lock.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = await newToken()
  const deadline = Date.now() + timeoutMs
  while (!(await take(path, token))) {
    await breakIfStale(path)
    if (Date.now() > deadline) {
      throw new SandboxError('internal', 'Another operation on this sandbox does not end.', {
        retryable: true,
      })
    }
    await sleep(5 + Math.random() * 15)
  }
  try {
    return await work()
  } finally {
    await unlink(path).catch(() => undefined)
  }
}

async function newToken(): Promise<string> {
  const self = await identify(process.pid)
  return JSON.stringify({ pid: process.pid, began: self?.began ?? '', nonce: randomBytes(8).toString('hex') })
}

/** A link appears with its content or not at all, so no waiter ever reads half a token. */
async function take(path: string, token: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, token, { flag: 'wx', mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
  }
}

async function breakIfStale(path: string): Promise<void> {
  const token = await readFile(path, 'utf8').catch(() => null)
  if (token === null || !(await isStale(token))) return
  const name = createHash('sha256').update(token).digest('hex').slice(0, 16)
  await withLock(`${path}.stale-${name}`, async () => {
    if ((await readFile(path, 'utf8').catch(() => null)) === token) await unlink(path)
  })
}

async function isStale(token: string): Promise<boolean> {
  const owner = Owner.safeParse(parseJson(token))
  return !owner.success || !(await isAlive(owner.data))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
