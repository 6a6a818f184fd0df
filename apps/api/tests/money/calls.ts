import { randomUUID } from 'node:crypto'
import type { Db } from '@svc/db'
import { usageOf, type PriceCard } from '@svc/models'
import { admitCall, type CallToAdmit, settleCall } from '@svc/spend'

/** A dollar a million tokens of input, two of output. */
export const card: PriceCard = { input: 1_000_000, output: 2_000_000 }

interface Place {
  readonly account_id: string
  readonly project_id: string
}

/** Calls of models as a gateway has them: admitted, and settled with so many tokens of input. */
export function callsOn(db: Db) {
  const ctx = { db, now: () => new Date(), newId: () => randomUUID() }
  const callOf = (place: Place, overrides: Partial<CallToAdmit> = {}): CallToAdmit => ({
    ...{ call_id: randomUUID(), ...place, session_id: null, prompt_id: null, trigger_slug: null },
    ...{ agent_name: null, token_id: randomUUID(), dialect: 'chat', model_asked: 'acme/one' },
    ...{ model: 'acme/one', provider: 'acme', provider_scope: 'project', streamed: true },
    attempts: [{ model: 'acme/one', provider: 'acme', provider_scope: 'project' }],
    ...{ request_id: null, bounds: { card, input_bound: 1_000, output_limit: 500, n: 1 } },
    ...{ input_estimate: 300, unbounded: null, countInput: null },
    ...overrides,
  })
  const settle = (call_id: string, input_tokens: number) =>
    settleCall(ctx, {
      ...{ call_id, event: 'finish', http_status: 200, estimated: false, card },
      usage: usageOf({ input_tokens, output_tokens: 0 }),
    })
  return {
    admit: (place: Place, overrides?: Partial<CallToAdmit>) => admitCall(ctx, callOf(place, overrides)),
    settle,
    async spend(place: Place, input_tokens: number, overrides?: Partial<CallToAdmit>): Promise<string> {
      const call = callOf(place, overrides)
      const answer = await admitCall(ctx, call)
      if (answer.outcome === 'refused') throw answer.error
      await settle(call.call_id, input_tokens)
      return call.call_id
    },
  }
}
