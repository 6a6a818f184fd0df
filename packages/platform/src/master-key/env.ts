import { createVault, keyIdPattern, parseMasterKeys, type Vault, VaultError } from '@svc/vault'
import { z } from 'zod'

/** The variables of the keys that seal. */
export const masterKeyEnv = {
  SVC_MASTER_KEY: z.string().min(1).describe('32 bytes in hexadecimal or base64 that seal every secret'),
  SVC_MASTER_KEY_ID: z
    .string()
    .regex(keyIdPattern, 'must be up to 64 letters, digits, - and _')
    .default('operator')
    .describe('the name of that key; a new key needs a new one'),
  SVC_OTHER_MASTER_KEYS: z
    .string()
    .transform((text, ctx) => {
      try {
        return parseMasterKeys(text)
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        ctx.addIssue({ code: 'custom', message: error.message })
        return z.NEVER
      }
    })
    .optional()
    .describe('keys that only open, while they are replaced: <id>=<key>, with commas between'),
} as const

type MasterKeys = z.infer<z.ZodObject<typeof masterKeyEnv>>

export function openVault(env: MasterKeys): Vault {
  return createVault(env.SVC_MASTER_KEY, {
    key_id: env.SVC_MASTER_KEY_ID,
    ...(env.SVC_OTHER_MASTER_KEYS && { others: env.SVC_OTHER_MASTER_KEYS }),
  })
}
