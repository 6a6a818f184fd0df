import { allowInsecureRequests, type Configuration, customFetch, discovery } from 'openid-client'
import { ServiceError } from '@svc/errors'
import { guardedFetch } from '@svc/outbound'
import type { IdentityBase } from '../../context.ts'
import { issuerTrouble } from './issuer-trouble.ts'

export interface IssuerClient {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

const timeoutSeconds = 10

/**
 * The published configuration of a provider that a customer named. Throws `issuer_not_usable` (422), which says what
 * is wrong.
 */
export async function openIssuer(
  { settings }: Pick<IdentityBase, 'settings'>,
  { issuer, client_id, client_secret }: IssuerClient,
): Promise<Configuration> {
  const url = issuerUrl(issuer)
  try {
    const config = await discovery(url, client_id, client_secret, undefined, {
      // The fetch decides which addresses may be asked without TLS.
      execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
      [customFetch]: guardedFetch({
        open: settings.outbound_addresses ?? [],
        private: settings.issuer_addresses,
      }),
      timeout: timeoutSeconds,
    })
    const { issuer: said, authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata()
    // A provider of many tenants names none of them: it could sign in the people of any tenant.
    if (!URL.canParse(said) || new URL(said).href !== url.href) throw trouble(issuer, 'issuer_mismatch')
    if (!authorization_endpoint || !token_endpoint || !jwks_uri) throw trouble(issuer, 'not_openid')
    return config
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw trouble(issuer, issuerTrouble(cause), cause)
  }
}

/** Throws `issuer_not_usable` for what cannot be the address of a provider. */
function issuerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const plain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
  if (!plain || !/^https?:$/.test(url.protocol) || url.pathname.includes('/.well-known/'))
    throw trouble(text, 'malformed')
  return url
}

const words = {
  malformed:
    'is not the address of an issuer; give it as the provider shows it, such as https://id.acme.example, without /.well-known/…',
  private_address:
    'is not at a public https address; give one that the internet reaches, or ask the operator to allow it',
  unreachable:
    'does not answer; see that its name and port are right and that it is reached from the internet',
  untrusted_certificate: 'has a certificate that is not trusted; give it one that browsers trust',
  issuer_mismatch:
    'calls itself by another name; give the issuer exactly as its /.well-known/openid-configuration has it, and of one tenant',
  not_openid: 'does not answer as an OpenID provider at /.well-known/openid-configuration below it',
} as const

export type IssuerTrouble = keyof typeof words

function trouble(issuer: string, reason: IssuerTrouble, cause?: unknown): ServiceError {
  return new ServiceError('issuer_not_usable', `${issuer} ${words[reason]}`, { reason }, { cause })
}
