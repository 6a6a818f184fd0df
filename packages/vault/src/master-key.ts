import { createFileSync } from '@svc/files'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { VaultError } from './sealed-text.ts'

/** 32 bytes, as they are or as 64 hex digits or base64: the output of `openssl rand -hex 32` or `-base64 32`. */
export function parseMasterKey(given: string | Buffer): Buffer {
  if (Buffer.isBuffer(given)) return checked(given)
  const text = given.trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[0-9A-Za-z+/_-]{43}=?$/.test(text)) return checked(Buffer.from(text, 'base64'))
  throw unusable()
}

function checked(key: Buffer): Buffer {
  if (key.length !== 32) throw unusable()
  return key
}

function unusable(): VaultError {
  return new VaultError(
    'The master key has to be 32 random bytes, as 64 hex digits or as base64; make one with: openssl rand -hex 32',
  )
}

/** The key of a machine that was given none: made once, readable by this user only. Losing it loses every secret. */
export function loadOrCreateMasterKey(path: string): Buffer {
  return readMasterKey(path) ?? create(path)
}

/** Undefined where there is no file. */
export function readMasterKey(path: string): Buffer | undefined {
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new VaultError(
        `${path} can be read by others: run chmod 600 on it, or replace the key if they did`,
      )
    return parseMasterKey(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A crash leaves no half key, and of two processes that start together one key wins. */
function create(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createFileSync(path, `${randomBytes(32).toString('hex')}\n`)
  const key = readMasterKey(path)
  if (!key) throw new VaultError(`The master key in ${path} vanished while it was made`)
  return key
}

export interface MasterKeys {
  readonly key: Buffer
  readonly key_id: string
  /** Keys that only open. */
  readonly others: Readonly<Record<string, Buffer>>
}

/** The name that keys in files had before each was named after itself. */
const unnamed = 'operator'

/**
 * The key in `path` and, when a person moved an earlier one to `<path>.old` to have it replaced, that one as well. A
 * key is named after its own digest, so that two are never taken for each other.
 */
export function loadMasterKeys(path: string): MasterKeys {
  const old = readMasterKey(`${path}.old`)
  return nameMasterKeys(loadOrCreateMasterKey(path), old)
}

/** The same for keys at hand. */
export function nameMasterKeys(key: Buffer, old?: Buffer): MasterKeys {
  const key_id = nameOf(key)
  const others = { [unnamed]: old ?? key, ...(old && nameOf(old) !== key_id && { [nameOf(old)]: old }) }
  return { key, key_id, others }
}

function nameOf(key: Buffer): string {
  return `k-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`
}
