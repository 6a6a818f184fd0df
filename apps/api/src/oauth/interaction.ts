import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError, statusOf } from '@svc/errors'
import {
  findOAuthPerson,
  fullScope,
  noteApproval,
  type OAuthContext,
  oauthScopes,
  personOfPassword,
  personOfToken,
  type ProvedPerson,
  type Context,
} from '@svc/services'
import type Provider from 'oidc-provider'
import { readForm, requireOwnPage } from './form.ts'
import { type Asking, consentPage, messagePage, pageHeaders, signInPage } from './pages.ts'
import { oauthPaths } from './paths.ts'

export type PageContext = OAuthContext &
  Pick<Context, 'settings' | 'log' | 'mail'> & { readonly trail: NonNullable<Context['trail']> }

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Sign-in and consent. The browser is known by a signed cookie that belongs to this one page. */
export async function serveInteraction(
  provider: Provider,
  ctx: PageContext,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res)
  const action = `${oauthPaths.interaction}/${interaction.uid}`
  if (new URL(req.url ?? '/', provider.issuer).pathname !== action) return gone(res)
  const page: Page = {
    provider,
    ctx,
    req,
    res,
    interaction,
    action,
    asking: await askingOf(provider, interaction),
  }
  if (req.method === 'GET' || req.method === 'HEAD') return ask(page)
  if (req.method !== 'POST') throw new ServiceError('method_not_allowed', 'This page answers GET and POST')
  requireOwnPage(req, provider.issuer)
  const form = await readForm(req)
  if (form.get('step') === 'deny') return deny(page)
  return interaction.prompt.name === 'login' ? signIn(page, form) : approve(page, form)
}

interface Page {
  readonly provider: Provider
  readonly ctx: PageContext
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly interaction: Interaction
  readonly action: string
  readonly asking: Asking
}

async function askingOf(provider: Provider, { params }: Interaction): Promise<Asking> {
  const client = await provider.Client.find(textOf(params, 'client_id'))
  const redirect_uri = textOf(params, 'redirect_uri')
  return {
    client_name: client?.clientName ?? textOf(params, 'client_id'),
    redirect_uri: redirect_uri === '' ? null : redirect_uri,
  }
}

async function ask(page: Page): Promise<void> {
  const { interaction, action, asking, ctx } = page
  if (interaction.prompt.name === 'login') return write(page, 200, signInPage(action, asking, null, ''))
  const person = await signedIn(ctx, interaction)
  const full = scopesOf(interaction).includes(fullScope)
  return write(page, 200, consentPage(action, { ...asking, email: person.email, full }))
}

async function signIn(page: Page, form: URLSearchParams): Promise<void> {
  const { provider, ctx, req, res, action, asking } = page
  const email = form.get('email') ?? ''
  let person: ProvedPerson
  try {
    person = await proved(ctx, form)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { retry_after } = error.details
    if (retry_after !== undefined) res.setHeader('Retry-After', String(Math.ceil(retry_after)))
    return write(page, statusOf(error.code), signInPage(action, asking, error.message, email))
  }
  const login = { accountId: person.user_id, amr: provedBy(person), remember: false }
  await provider.interactionFinished(req, res, { login })
}

/** What stands behind a browser's sign-in, for as long as its session lasts. */
function provedBy({ mfa, by_token }: ProvedPerson): string[] {
  return [by_token ? 'token' : 'pwd', ...(mfa ? ['mfa'] : [])]
}

async function proved(ctx: PageContext, form: URLSearchParams): Promise<ProvedPerson> {
  if (form.get('step') === 'token') return personOfToken(ctx, (form.get('token') ?? '').trim())
  const code = form.get('totp_code')?.trim()
  return personOfPassword(ctx, {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    totp_code: code === '' ? undefined : code,
    ip: ctx.trail.ip,
  })
}

async function approve(page: Page, form: URLSearchParams): Promise<void> {
  const { provider, ctx, req, res, interaction, asking } = page
  if (form.get('step') !== 'approve') throw new ServiceError('invalid_request', 'Choose Allow or Deny')
  const { user_id } = await signedIn(ctx, interaction)
  const client_id = textOf(interaction.params, 'client_id')
  const scope = scopesOf(interaction).join(' ')
  if (scope === '') {
    const error_description = `ask for one of the scopes ${oauthScopes.join(', ')}`
    return provider.interactionFinished(req, res, { error: 'invalid_scope', error_description })
  }
  const grant = new provider.Grant({ accountId: user_id, clientId: client_id })
  grant.addOIDCScope(scope)
  const grant_id = await grant.save()
  const amr = interaction.session?.amr ?? []
  const proof = { mfa: amr.includes('mfa'), by_token: amr.includes('token') }
  await noteApproval(ctx, { user_id, client_id, client_name: asking.client_name, scope, grant_id, ...proof })
  await provider.interactionFinished(req, res, { consent: { grantId: grant_id } })
}

async function deny(page: Page): Promise<void> {
  const { provider, ctx, req, res, interaction, asking } = page
  const user_id = interaction.session?.accountId
  if (user_id !== undefined) {
    const client_id = textOf(interaction.params, 'client_id')
    const scope = scopesOf(interaction).join(' ')
    const { client_name } = asking
    await noteApproval(ctx, {
      user_id,
      client_id,
      client_name,
      scope,
      grant_id: null,
      mfa: false,
      by_token: false,
    })
  }
  const error_description = 'The person did not allow it'
  await provider.interactionFinished(req, res, { error: 'access_denied', error_description })
}

async function signedIn(ctx: PageContext, { session }: Interaction) {
  const person = session?.accountId === undefined ? null : await findOAuthPerson(ctx, session.accountId)
  if (person === null)
    throw new ServiceError('unauthorized', 'Sign in first; go back to the app and start again')
  return person
}

/** Of what was asked for, what there is. */
function scopesOf({ params }: Interaction): readonly string[] {
  const asked = textOf(params, 'scope').split(' ')
  return oauthScopes.filter((scope) => asked.includes(scope))
}

function textOf(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}

function write({ res, req, asking }: Page, status: number, page: string): void {
  res.writeHead(status, pageHeaders(asking.redirect_uri ?? undefined))
  res.end(req.method === 'HEAD' ? undefined : page)
}

export function gone(res: ServerResponse): void {
  res.writeHead(400, pageHeaders())
  res.end(messagePage('This page is no longer open', 'Go back to the app and start again.'))
}
