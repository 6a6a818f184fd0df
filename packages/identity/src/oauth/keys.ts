import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { oauth } from '@svc/db'
import type { DataKey } from '@svc/vault'
import { z } from 'zod'
import type { OAuthContext } from './context.ts'
import { oauthKeysPlace } from '../sealed-at.ts'

const Secrets = z.object({
  cookie_keys: z.array(z.string()),
  /** Makes what people type findable without being guessable from a copy of the database. */
  lookup_key: z.string(),
  signing_keys: z.array(z.record(z.string(), z.unknown())),
})

export interface OAuthKeys extends z.infer<typeof Secrets> {
  /** Seals what the server keeps. */
  readonly data_key: DataKey
}

/** Made once, by whichever process asks first, and the same for all of them from then on. */
export async function loadOAuthKeys(ctx: OAuthContext): Promise<OAuthKeys> {
  const row = (await oauth.findKeys(ctx.db)) ?? (await oauth.insertKeys(ctx.db, newKeys(ctx)))
  const data_key = ctx.vault.openDataKey(row.sealed_key, oauthKeysPlace)
  const text = ctx.vault.open(data_key, [...oauthKeysPlace, 'keys'], row.sealed_value)
  return { ...Secrets.parse(JSON.parse(text)), data_key }
}

function newKeys(ctx: OAuthContext) {
  const { data_key, sealed } = ctx.vault.createDataKey(oauthKeysPlace)
  const secret = () => randomBytes(32).toString('base64url')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signing_key = { ...privateKey.export({ format: 'jwk' }), kid: ctx.newId(), use: 'sig', alg: 'ES256' }
  const secrets = { cookie_keys: [secret()], lookup_key: secret(), signing_keys: [signing_key] }
  const sealed_value = ctx.vault.seal(data_key, [...oauthKeysPlace, 'keys'], JSON.stringify(secrets))
  return { sealed_key: sealed, sealed_value, created_at: ctx.now() }
}
