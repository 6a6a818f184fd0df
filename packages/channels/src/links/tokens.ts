import { createHash } from 'node:crypto'

/** Only the hash of a link's token is kept. */
export const linkTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
