import { randomUUID } from 'node:crypto'
import { calls, type Db } from '@svc/db'
import { usageOf } from '@svc/models'
import { admitCall, type CallToAdmit, settleCall } from '../../src/index.ts'
import { card } from './place.ts'

/** The verbs on calls, on a database that is opened later. */
export function callsOf(db: () => Db) {
  const ctx = () => ({ db: db(), now: () => new Date(), newId: () => randomUUID() })
  const admit = (call: CallToAdmit) => admitCall(ctx(), call)
  return {
    ctx,
    admit,
    settle: (call_id: string, input_tokens: number, output_tokens = 0) =>
      settleCall(ctx(), {
        call_id,
        event: 'finish',
        http_status: 200,
        estimated: false,
        usage: usageOf({ input_tokens, output_tokens }),
        card,
      }),
    refusal: async (call: CallToAdmit) => {
      const answer = await admit(call)
      if (answer.outcome === 'granted') throw new Error('It was admitted')
      return { code: answer.error.code, message: answer.error.message, ...answer.error.details }
    },
    rowOf: ({ project_id, call_id }: CallToAdmit) => calls.find(db(), { project_id, call_id }),
  }
}
