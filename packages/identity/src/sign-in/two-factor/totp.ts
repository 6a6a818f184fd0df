import { Secret, TOTP } from 'otpauth'

const period = 30

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'svc',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period,
    secret: Secret.fromBase32(secret),
  })
}

/** A secret of 160 random bits, and the URI from which an authenticator app reads it. */
export function newTotp(random: Uint8Array, email: string): { secret: string; uri: string } {
  if (random.length !== 20) throw new RangeError('A TOTP secret is made of 20 random bytes')
  const { base32: secret } = new Secret({ buffer: Uint8Array.from(random).buffer })
  return { secret, uri: totpOf(secret, email).toString() }
}

/** The time step that a code belongs to, one step of drift either way; null when it fits none after `last_step`. */
export function totpStep(secret: string, code: string, now: Date, last_step: number | null): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / period) + delta
  return last_step !== null && step <= last_step ? null : step
}
