import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@svc/errors'
import { beginSso, listSsoProviders, personOfSso, type ProvedPerson } from '@svc/identity'
import { parse, serialize } from 'hono/utils/cookie'
import { header } from '../door/visit.ts'
import { ssoCookie, ssoDoneCookie } from '../sign-in/sso-cookie.ts'
import type { PageContext } from './interaction.ts'

interface Waiting {
  readonly ctx: PageContext
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The uid of the page that waits. */
  readonly uid: string
}

/**
 * The provider's address at which a person with this email signs in, with a cookie for the way back; null where no
 * provider signs them in.
 */
export async function beginAtProvider({ ctx, res, uid }: Waiting, email: string): Promise<URL | null> {
  const { providers } = await listSsoProviders(ctx, { email })
  const [first] = providers
  if (!first) return null
  const { url, cookie } = await beginSso(ctx, { provider: first.name, interaction: uid })
  const { name, options } = ssoCookie(ctx.settings)
  res.appendHeader('Set-Cookie', serialize(name, cookie, options))
  return new URL(url)
}

/** The link that the browser brings back from a provider for this page; null before it does. */
export function linkFromProvider({ ctx, req, uid }: Omit<Waiting, 'res'>): string | null {
  const { name } = ssoDoneCookie(ctx.settings, uid)
  return parse(header(req, 'cookie') ?? '', name)[name] ?? null
}

/** Once; a missing second factor leaves it for the next try. */
export async function personFromProvider(
  waiting: Waiting,
  totp_code: string | undefined,
): Promise<ProvedPerson> {
  const { ctx, res, uid } = waiting
  const forget = () => {
    const { name, options } = ssoDoneCookie(ctx.settings, uid)
    res.appendHeader('Set-Cookie', serialize(name, '', { ...options, maxAge: 0 }))
  }
  try {
    const person = await personOfSso(ctx, { link_token: linkFromProvider(waiting) ?? '', totp_code })
    forget()
    return person
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'otp_expired') forget()
    throw error
  }
}
