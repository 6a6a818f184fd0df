import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM with a fresh 96-bit nonce. The text is `<nonce>.<tag>.<ciphertext>` in base64url. */
export function sealText(key: Buffer, aad: Buffer, plaintext: Buffer): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return [nonce, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url')).join('.')
}

/** Throws a VaultError for anything that was not sealed with this key for this purpose. */
export function openText(key: Buffer, aad: Buffer, text: string): Buffer {
  const [nonce, tag, ciphertext, ...more] = text.split('.').map(strictBase64url)
  if (!nonce || !tag || !ciphertext || more.length > 0 || nonce.length !== 12 || tag.length !== 16)
    throw new VaultError('A sealed value is malformed')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
      .setAAD(aad)
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    // The reason is the same for every wrong input, and says nothing about the value.
    throw new VaultError('A sealed value cannot be opened: wrong key, wrong place, or changed')
  }
}

/** Buffer.from skips characters that are no base64url, which would let one value have many texts. */
function strictBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new VaultError('A sealed value is malformed')
  return bytes
}

/** Each part with its length before it, so that no two lists of parts give the same bytes. */
export function joinParts(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
}
