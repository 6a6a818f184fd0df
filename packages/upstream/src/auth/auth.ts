import type { ConnectorAuth } from '@svc/manifest'
import type { WireRequest } from '../shapes.ts'
import { apiKey } from './api-key.ts'
import type { AuthType, CredentialField, Signing } from './auth-type.ts'
import { awsSigv4 } from './aws-sigv4.ts'
import { basic } from './basic.ts'
import { bearer } from './bearer.ts'
import { custom } from './custom.ts'
import { hmac } from './hmac.ts'
import { mtls } from './mtls.ts'
import { none } from './none.ts'
import { oauth1 } from './oauth1.ts'

const authTypes: Readonly<Record<ConnectorAuth['type'], AuthType>> = {
  bearer,
  basic,
  custom,
  api_key: apiKey,
  oauth1,
  hmac,
  aws_sigv4: awsSigv4,
  mtls,
  none,
}

export type { CredentialField } from './auth-type.ts'

export interface CredentialIssue {
  readonly field: string
  readonly message: string
}

const maxFieldCharacters = 32 * 1024

/**
 * The fields of a connection's credential, in the order in which a person is asked for them. None where nothing is needed.
 * Throws `UpstreamRefusal` where `auth` itself is wrong.
 */
export function credentialFields(auth: ConnectorAuth | null): readonly CredentialField[] {
  return auth === null ? [] : authTypes[auth.type].fields(auth)
}

/** Issues of a credential that is not the one which `auth` needs: one a field, none of which holds a value. */
export function credentialIssues(
  auth: ConnectorAuth | null,
  credential: Readonly<Record<string, unknown>>,
): readonly CredentialIssue[] {
  const fields = credentialFields(auth)
  const names = fields.map(({ name }) => name)
  const unknown = Object.keys(credential).filter((name) => !names.includes(name))
  const known = names.length === 0 ? 'there are no fields' : `the fields are ${names.join(', ')}`
  const issues = [
    ...unknown.map((field) => ({ field, message: `is no field of ${auth?.type ?? 'none'}: ${known}` })),
    ...fields.flatMap((field) => {
      const { name } = field
      const message = fieldTrouble(credential[name], field, auth?.type === 'mtls')
      return message === null ? [] : [{ field: name, message }]
    }),
  ]
  if (issues.length > 0 || auth === null) return issues
  const texts = Object.entries(credential).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const deeper = authTypes[auth.type].check?.(Object.fromEntries(texts)) ?? {}
  return Object.entries(deeper).map(([field, message]) => ({ field, message }))
}

function fieldTrouble(
  value: unknown,
  { required, may_be_empty }: CredentialField,
  lines: boolean,
): string | null {
  if (value === '' && may_be_empty) return null
  if (value === undefined || value === '') return required ? 'is missing' : null
  if (typeof value !== 'string') return 'must be a text'
  if (value.length > maxFieldCharacters) return `must have at most ${maxFieldCharacters} characters`
  if (!lines && /[\r\n\0]/.test(value)) return 'must have no line break; was one copied with it?'
  return null
}

/** The request with the proof of who asks on it, which stands above every other header. */
export async function prepared(
  request: WireRequest,
  {
    auth,
    credential,
    ...rest
  }: Pick<Signing, 'now' | 'nonce'> & {
    readonly auth: ConnectorAuth | null
    readonly credential: Signing['credential'] | null
  },
): Promise<WireRequest> {
  const signing = { ...rest, credential: credential ?? {} }
  if (auth !== null) return authTypes[auth.type].prepare(request, { ...signing, auth })
  // A service that named its own way of signing in needs no word in the manifest.
  if (signing.credential['access_token'] === undefined) return request
  return bearer.prepare(request, { ...signing, auth: { type: 'bearer' } })
}
