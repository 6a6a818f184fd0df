import type { IncomingMessage, ServerResponse } from 'node:http'
import { fullScope } from '@svc/context'
import { ServiceError, statusOf } from '@svc/errors'
import {
  findOAuthPerson,
  type IdentityContext,
  noteApproval,
  type OAuthContext,
  oauthScopes,
  personOfPassword,
  personOfToken,
  type ProvedPerson,
} from '@svc/identity'
import type Provider from 'oidc-provider'
import { readForm, requireOwnPage } from './form.ts'
import { askingOf, type Interaction, scopesOf, textOf } from './asked.ts'
import { type Asking, consentPage, messagePage, pageHeaders, signInPage } from './pages.ts'
import { needsNoConsent } from './own-pages.ts'
import { oauthPaths } from './paths.ts'
import { proofOf, waysOf } from './proof.ts'
import { providerDonePage, providerPage } from './provider-pages.ts'
import { beginAtProvider, linkFromProvider, personFromProvider } from './sso-step.ts'

export type PageContext = OAuthContext &
  Pick<IdentityContext, 'settings' | 'log' | 'mail' | 'sso'> & {
    readonly trail: NonNullable<IdentityContext['trail']>
  }

/** Sign-in and consent. The browser is known by a signed cookie that belongs to this one page. */
export async function serveInteraction(
  provider: Provider,
  ctx: PageContext,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res)
  const action = `${oauthPaths.interaction}/${interaction.uid}`
  if (new URL(req.url ?? '/', provider.issuer).pathname !== action) return answerPageClosed(res)
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
  if (req.method !== 'POST')
    throw new ServiceError('method_not_allowed', 'This page does not answer that method; use GET or POST')
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

async function ask(page: Page): Promise<void> {
  const { interaction, action, asking, ctx } = page
  if (interaction.prompt.name === 'login') {
    const back = linkFromProvider({ ...page, uid: interaction.uid }) !== null
    return write(
      page,
      200,
      back ? providerDonePage(action, asking, null) : signInPage(action, asking, null, ''),
    )
  }
  if (needsNoConsent(page.req, asking)) return grant(page)
  const person = await signedIn(ctx, interaction)
  const full = scopesOf(interaction).includes(fullScope)
  return write(page, 200, consentPage(action, { ...asking, email: person.email, full }))
}

async function signIn(page: Page, form: URLSearchParams): Promise<void> {
  const { provider, req, res, action, asking } = page
  const email = form.get('email') ?? ''
  if (form.get('step') === 'sso') return leave(page, email)
  let person: ProvedPerson
  try {
    person = await proved(page, form)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { retry_after } = error.details
    if (retry_after !== undefined) res.setHeader('Retry-After', String(Math.ceil(retry_after)))
    const { message, code } = error
    const again = form.get('step') === 'sso-done' && code !== 'otp_expired'
    const shown = again
      ? providerDonePage(action, asking, message)
      : signInPage(action, asking, message, email)
    return write(page, statusOf(code), shown)
  }
  const login = { accountId: person.user_id, amr: waysOf(person), remember: false }
  await provider.interactionFinished(req, res, { login })
}

/** To the provider that signs in people with this address. */
async function leave(page: Page, email: string): Promise<void> {
  const { action, asking, interaction } = page
  const url = await beginAtProvider({ ...page, uid: interaction.uid }, email)
  if (url !== null) return write(page, 200, providerPage(url))
  const problem = 'No other sign-in provider is set up for this address; use your password'
  return write(page, 400, signInPage(action, asking, problem, email))
}

async function proved(page: Page, form: URLSearchParams): Promise<ProvedPerson> {
  const { ctx, interaction } = page
  if (form.get('step') === 'token') return personOfToken(ctx, (form.get('token') ?? '').trim())
  const code = form.get('totp_code')?.trim()
  const totp_code = code === '' ? undefined : code
  if (form.get('step') === 'sso-done') return personFromProvider({ ...page, uid: interaction.uid }, totp_code)
  return personOfPassword(ctx, {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    totp_code,
    ip: ctx.trail.ip,
  })
}

async function approve(page: Page, form: URLSearchParams): Promise<void> {
  if (form.get('step') !== 'approve')
    throw new ServiceError('invalid_request', 'The form has no choice; press Allow or Deny')
  return grant(page)
}

async function grant(page: Page): Promise<void> {
  const { provider, ctx, req, res, interaction, asking } = page
  const { user_id } = await signedIn(ctx, interaction)
  const client_id = textOf(interaction.params, 'client_id')
  const scope = scopesOf(interaction).join(' ')
  if (scope === '') {
    const error_description = `ask for one of the scopes ${oauthScopes.join(', ')}`
    return provider.interactionFinished(req, res, { error: 'invalid_scope', error_description })
  }
  const approval = new provider.Grant({ accountId: user_id, clientId: client_id })
  approval.addOIDCScope(scope)
  const grant_id = await approval.save()
  const proof = proofOf(interaction.session?.amr)
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
      ...proofOf(interaction.session?.amr),
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

function write({ res, req, asking }: Page, status: number, page: string): void {
  res.writeHead(status, pageHeaders(asking.redirect_uri ?? undefined))
  res.end(req.method === 'HEAD' ? undefined : page)
}

export function answerPageClosed(res: ServerResponse): void {
  res.writeHead(400, pageHeaders())
  res.end(messagePage('This page is no longer open', 'Go back to the app and start again.'))
}
