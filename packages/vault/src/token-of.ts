import { createHmac, hkdfSync } from 'node:crypto'
import { DataKey } from './data-key.ts'
import { joinParts } from './sealed-text.ts'

/**
 * A secret that follows from a project's key and its place, so that none has to be kept. It is no part of the key, opens
 * nothing that is sealed, and stays the same when the master key is replaced.
 */
export function tokenOf(data_key: DataKey, place: readonly string[]): string {
  const key = hkdfSync('sha256', DataKey.bytesOf(data_key), '', 'svc/token', 32)
  return createHmac('sha256', Buffer.from(key)).update(joinParts(place)).digest('base64url')
}
