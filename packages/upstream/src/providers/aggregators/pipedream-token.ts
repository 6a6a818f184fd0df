import { z } from 'zod'
import type { Wire } from '../../shapes.ts'
import type { PipedreamConfig } from './config.ts'
import { ask } from './request.ts'

const answer = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() })
const marginMs = 60_000

/** The token of the operator's client, kept until a minute before its end. */
export function pipedreamToken({ base_url, client_id, client_secret }: PipedreamConfig, wire: Wire) {
  let kept: { readonly value: string; readonly until: number } | undefined
  return {
    async get(signal: AbortSignal): Promise<string> {
      if (kept !== undefined && Date.now() < kept.until) return kept.value
      const url = new URL(`${base_url.replace(/\/$/, '')}/v1/oauth/token`)
      const body = { grant_type: 'client_credentials', client_id, client_secret }
      const { access_token, expires_in } = await ask(
        wire,
        { method: 'POST', url, headers: {}, body },
        answer,
        signal,
      )
      kept = { value: access_token, until: Date.now() + expires_in * 1000 - marginMs }
      return access_token
    },
    drop: () => void (kept = undefined),
  }
}
