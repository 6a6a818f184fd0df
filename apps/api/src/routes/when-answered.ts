import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'

/** Runs work once the answer to this request was handed to the network whole; a client that left before has not got it. */
export function whenAnswered(c: Context<AppEnv>): (then: () => Promise<void>) => void {
  const outgoing = c.env?.outgoing
  const { log } = c.var.ctx
  return (then) => {
    const run = () => {
      then().catch((error: unknown) => log.warn({ err: error }, 'Not noted that an answer was written'))
    }
    if (outgoing === undefined) run()
    else outgoing.once('finish', run)
  }
}
