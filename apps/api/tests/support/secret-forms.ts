import { createHash } from 'node:crypto'

/** Forms in which a text may hold a value: as it is, escaped or encoded, also in the middle of something longer. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const escaped = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  const base64 = [0, 1, 2].flatMap((offset) => {
    // The bytes before and behind it change only the digits at its ends.
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const whole = padded.subarray(0, padded.length - (padded.length % 3))
    const digits = whole.toString('base64').slice(offset === 0 ? 0 : 4)
    return digits.length < 8 ? [] : [digits, digits.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set([value, ...escaped, hex, hex.toUpperCase(), ...base64])]
}

/** For a secret that is short enough to be guessed: its plain digest gives it away. */
export function digestsOf(value: string): string[] {
  return ['sha1', 'sha256', 'md5'].flatMap((name) => {
    const digest = createHash(name).update(value).digest()
    return [
      digest.toString('hex'),
      digest.toString('base64').replace(/=+$/, ''),
      digest.toString('base64url'),
    ]
  })
}
