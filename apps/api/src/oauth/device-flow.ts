import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { codeConfirmPage, type CodeForm, codePage, messagePage, pageHeaders } from './pages.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** RFC 8628: the pages on which a person types the code that a device shows. */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  charset: 'base-20',
  mask: '****-****',
  deviceInfo: (ctx) => ({ ip: ctx.ip }),
  userCodeInputSource(ctx, _form, _out, error) {
    ctx.set(pageHeaders())
    if (error?.name === 'AbortedError') {
      ctx.body = messagePage(
        'Not allowed',
        'Access was denied; the device has been informed. You can close this page.',
      )
      return
    }
    ctx.body = codePage(formOf(ctx), error === undefined ? null : problemOf(error))
  },
  userCodeConfirmSource(ctx, _form, client, deviceInfo, user_code) {
    const { ip } = deviceInfo
    ctx.set(pageHeaders())
    ctx.body = codeConfirmPage(formOf(ctx), {
      user_code,
      client_name: client.clientName ?? client.clientId,
      ip: typeof ip === 'string' ? ip : 'unknown',
    })
  },
  successSource(ctx) {
    ctx.set(pageHeaders())
    ctx.body = messagePage('Done', 'Your device is signed in. You can close this page.')
  },
}

function formOf(ctx: KoaContextWithOIDC): CodeForm {
  const state: unknown = ctx.oidc.session?.state
  const secret = typeof state === 'object' && state !== null && 'secret' in state ? state.secret : undefined
  return { action: ctx.oidc.urlFor('code_verification'), xsrf: typeof secret === 'string' ? secret : '' }
}

function problemOf({ name }: Error): string {
  if (name === 'ExpiredError') return 'This code has expired. Ask the device for a new one.'
  if (name === 'AlreadyUsedError') return 'This code was used already. Ask the device for a new one.'
  if (name === 'NotFoundError' || name === 'NoCodeError')
    return 'There is no such code. Look at the device again.'
  return 'This did not work. Type the code again.'
}
