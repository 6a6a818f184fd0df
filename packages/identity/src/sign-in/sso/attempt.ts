import { z } from 'zod'
import type { SignInContext } from '../context.ts'

/**
 * An attempt comes back as it was sent: kept by the browser, sealed, so that neither it nor a copy of the database can
 * read it.
 */
const Attempt = z.object({
  provider: z.string(),
  /** An answer of another provider is none to this attempt. */
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expires_at: z.number(),
  /** The page of the authorization server that waits for it, by its uid. */
  interaction: z.string().optional(),
})
export type SsoAttempt = z.infer<typeof Attempt>

const place = ['sign-in-sso']

export function sealAttempt({ vault }: Pick<SignInContext, 'vault'>, attempt: SsoAttempt): string {
  const { data_key, sealed } = vault.createDataKey(place)
  return `${sealed}~${vault.seal(data_key, place, JSON.stringify(attempt))}`
}

/** Null for anything that was not sealed here, or not lately. */
export function openAttempt(
  { vault, now }: Pick<SignInContext, 'vault' | 'now'>,
  cookie: string | undefined,
): SsoAttempt | null {
  const [sealed_key, sealed] = (cookie ?? '').split('~')
  if (!sealed_key || !sealed) return null
  try {
    const text = vault.open(vault.openDataKey(sealed_key, place), place, sealed)
    const attempt = Attempt.parse(JSON.parse(text))
    return attempt.expires_at > now().getTime() ? attempt : null
  } catch {
    return null
  }
}
