import { ServiceError } from '@svc/errors'
import type { Options } from '@node-rs/argon2'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

const atOnce = 2
const waiting = 64
let running = 0
const queue: (() => void)[] = []

/** Hashing takes memory and a core by design: a burst waits in line, and callers beyond the line are told to come again. */
async function inLine<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (queue.length >= waiting) {
      throw new ServiceError('temporarily_unavailable', 'Too many passwords at once; try again in a moment', {
        retry_after: 2,
      })
    }
    await new Promise<void>((resolve) => queue.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

/** Loaded by the first sign-in: most processes of the platform never hash a password. */
const argon2 = () => import('@node-rs/argon2')

/** The same text however a keyboard composes its letters. */
export const plainPassword = (password: string) => password.normalize('NFKC')

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return inLine(() => hash(plainPassword(password), options))
}

/** The hash of a password that no person knows: checking a person without one takes as long as one who has one. */
let unknownHash: Promise<string> | undefined

export async function verifyPassword(password_hash: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2()
  unknownHash ??= hashPassword(crypto.randomUUID()).catch((error: unknown) => {
    unknownHash = undefined
    throw error
  })
  const stand_in = await unknownHash
  const fits = await inLine(() => verify(password_hash ?? stand_in, plainPassword(password)))
  return fits && password_hash !== null
}
