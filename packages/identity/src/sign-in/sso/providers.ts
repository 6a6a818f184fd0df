import { readFile } from 'node:fs/promises'
import { SettingsError } from '@svc/boot'
import { signInProviderPattern } from '@svc/facts'
import { ServiceError } from '@svc/errors'
import { allowInsecureRequests, type Configuration, discovery } from 'openid-client'
import { z } from 'zod'

const Provider = z.strictObject({
  name: z.string().regex(signInProviderPattern, 'must be a simple name in small letters'),
  issuer: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => url.startsWith('https:') || isLoopback(url),
      'must be https, but on this machine itself',
    ),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
})
export type SsoProvider = z.infer<typeof Provider>

const Providers = z
  .array(Provider)
  .refine(
    (providers) => new Set(providers.map(({ name }) => name)).size === providers.length,
    'every name stands once',
  )

export interface SsoProviders {
  readonly names: readonly string[]
  /**
   * The published configuration of a provider; asked once, and again after a failure. Throws not_found for an unknown
   * name.
   */
  find(name: string): Promise<Configuration>
}

const timeoutSeconds = 10

export function createSsoProviders(providers: readonly SsoProvider[]): SsoProviders {
  const found = new Map<string, Promise<Configuration>>()
  return {
    names: providers.map(({ name }) => name),
    find(name) {
      const provider = providers.find((one) => one.name === name)
      if (!provider)
        throw new ServiceError('not_found', 'There is no such provider; choose one on the sign-in page')
      const known = found.get(name)
      if (known) return known
      const asked = discover(provider).catch((cause: unknown) => {
        found.delete(name)
        throw away(name, cause)
      })
      found.set(name, asked)
      return asked
    },
  }
}

function discover({ issuer, client_id, client_secret }: SsoProvider): Promise<Configuration> {
  const execute = isLoopback(issuer) ? [allowInsecureRequests] : []
  return discovery(new URL(issuer), client_id, client_secret, undefined, { execute, timeout: timeoutSeconds })
}

export function away(name: string, cause: unknown): ServiceError {
  const message = `The provider ${name} does not answer as it should; try again in a moment`
  return new ServiceError('temporarily_unavailable', message, { retry_after: 5 }, { cause })
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(url)
}

/** Reads the operator's file. An error names the place of a value, never the value. */
export async function readSsoFile(path: string): Promise<SsoProviders> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SettingsError([`SVC_SSO_FILE: ${path} cannot be read (${codeOf(cause)})`])
  })
  const read = Providers.safeParse(jsonOf(text))
  if (read.success) return createSsoProviders(read.data)
  const problems = read.error.issues.map(
    ({ path: at, message }) => `${at.join('.') || 'the file'}: ${message}`,
  )
  throw new SettingsError([`SVC_SSO_FILE: ${path} is not usable: ${problems.join('; ')}`])
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
