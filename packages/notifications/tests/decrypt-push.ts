import { createDecipheriv, createHmac, type ECDH } from 'node:crypto'

const hmac = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest()
const one = Buffer.from([1])

/** The text of a push, as a browser reads it: RFC 8291, over the one record of RFC 8188. */
export function decryptPush(body: Buffer, pair: ECDH, auth: Buffer): string {
  const [salt, id_length] = [body.subarray(0, 16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + id_length)
  const sealed = body.subarray(21 + id_length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = hmac(hmac(auth, pair.computeSecret(sender)), info, one)
  const key = hmac(salt, secret)
  const content_key = hmac(key, Buffer.from('Content-Encoding: aes128gcm\0'), one).subarray(0, 16)
  const nonce = hmac(key, Buffer.from('Content-Encoding: nonce\0'), one).subarray(0, 12)
  const cipher = createDecipheriv('aes-128-gcm', content_key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  // The last record ends with a 2, and zeros behind it.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}
