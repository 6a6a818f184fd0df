import { z } from 'zod'
import { type IsProxy, noProxy, trustedProxies } from './client-address.ts'

function proxies(text: string, ctx: z.RefinementCtx): IsProxy {
  try {
    return trustedProxies(
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    )
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    return noProxy
  }
}

/** The setting of every deployable that visitors reach through proxies of the operator's. */
export const trustedProxiesEnv = {
  SVC_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(proxies)
    .describe('addresses and ranges of the proxies whose X-Forwarded-For is believed, with commas'),
}
