import type { BaseContext } from '@svc/context'
import { openMail } from '@svc/mail'
import type { z } from 'zod'
import type { IdentityBase } from './context.ts'
import { createTxtLookup } from './domains/txt-lookup.ts'
import type { signInEnv } from './sign-in/env.ts'
import { readSsoFile } from './sign-in/sso/providers.ts'

export interface Identity {
  readonly ctx: IdentityBase
  close(): Promise<void>
}

/** Opens the parts that people sign in with, beside the context that every process has. */
export async function openIdentity(
  base: BaseContext,
  env: z.infer<z.ZodObject<typeof signInEnv>>,
): Promise<Identity> {
  const sso = env.SVC_SSO_FILE === undefined ? undefined : await readSsoFile(env.SVC_SSO_FILE)
  const mail = openMail(env, base.log)
  const settings = {
    ...base.settings,
    sign_up: env.SVC_SIGN_UP,
    sign_in_url: env.SVC_SIGN_IN_URL,
    platform_admins: env.SVC_PLATFORM_ADMINS,
    issuer_addresses: env.SVC_SSO_ADDRESSES,
  }
  return {
    ctx: { ...base, settings, mail, sso, txt_lookup: createTxtLookup(env.SVC_DNS_SERVERS) },
    close: async () => mail?.close(),
  }
}
