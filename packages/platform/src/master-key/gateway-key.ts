import { createKeySealer, type KeySealer, parseMasterKey, VaultError } from '@svc/vault'
import { z } from 'zod'

/** The key of the model gateway, another than the platform's: who holds it opens keys of providers, and no secret. */
export const gatewayKeyEnv = {
  SVC_GATEWAY_MASTER_KEY: z
    .string()
    .min(1)
    .superRefine((text, ctx) => {
      try {
        parseMasterKey(text)
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        ctx.addIssue({ code: 'custom', message: error.message })
      }
    })
    .optional()
    .describe(
      '32 bytes in hexadecimal or base64 that seal the keys of model providers; for the API and the gateway alone',
    ),
} as const

/** Undefined where no key is given: the keys of providers come from the environment then. */
export function gatewaySealer(env: {
  readonly SVC_GATEWAY_MASTER_KEY?: string | undefined
}): KeySealer | undefined {
  const { SVC_GATEWAY_MASTER_KEY: key } = env
  return key === undefined ? undefined : createKeySealer(key)
}
