import { hkdfSync } from 'node:crypto'
import { parseMasterKey } from './master-key.ts'

/** 32 bytes that follow from the master key, another for each purpose (HKDF with SHA-256): none tells of another, or of it. */
export function derivedKey(master_key: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', parseMasterKey(master_key), '', `svc/${purpose}`, 32))
}
