import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js'

interface Extra {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  readonly sendNotification: (notification: ServerNotification) => Promise<void>
}

/** Writes a note into the stream of the answer now and then, so that no proxy on the way takes it for dead. */
export async function noting<T>(extra: Extra, every_ms: number, work: () => Promise<T>): Promise<T> {
  let count = 0
  const timer = setInterval(() => {
    count += 1
    // A client that left gets none.
    extra.sendNotification(noteOf(extra, count)).catch(() => undefined)
  }, every_ms)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const message = 'The call is not over yet'

function noteOf({ _meta }: Extra, progress: number): ServerNotification {
  const progressToken = _meta?.progressToken
  return progressToken === undefined
    ? { method: 'notifications/message', params: { level: 'info', logger: 'svc-executor', data: message } }
    : { method: 'notifications/progress', params: { progressToken, progress, message } }
}
