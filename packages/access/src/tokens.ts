/** 0-9A-Za-z: no character needs escaping in a header, a shell or a URL. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const tokenPrefixes = [
  'svc_pat_',
  'svc_sa_',
  'svc_oat_',
  'svc_ort_',
  'svc_gw_',
  'svc_scim_',
  'svc_sbx_',
  'svc_inv_',
  'svc_usr_',
  'svc_urt_',
  'svc_lnk_',
  'svc_prv_',
  'svc_bws_',
  'svc_bwk_',
] as const
export type TokenPrefix = (typeof tokenPrefixes)[number]

const bodyLength = 43
const checkLength = 6

/** prefix + 43 base62 digits of 256 random bits + 6 base62 digits of CRC-32 over the text before them. */
export function formatToken(prefix: TokenPrefix, random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('A token is made of 32 random bytes')
  const body =
    prefix +
    base62(
      random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
      bodyLength,
    )
  return body + checksum(body)
}

/** The prefix of a well-formed token; null for anything that the platform never issued. */
export function tokenPrefix(token: string): TokenPrefix | null {
  const prefix = tokenPrefixes.find((candidate) => token.startsWith(candidate))
  if (prefix === undefined || token.length !== prefix.length + bodyLength + checkLength) return null
  const body = token.slice(0, -checkLength)
  return checksum(body) === token.slice(-checkLength) ? prefix : null
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), checkLength)
}

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = (alphabet[Number(rest % 62n)] ?? '') + digits
  return digits
}

/** CRC-32 (ISO-HDLC) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index) & 0xff
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
