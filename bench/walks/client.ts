import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'

/** The API by `fetch`, in the process that serves it: no code of the platform runs for the client. */
export function openClient(api_url: string, token: string) {
  return {
    async call<T>(method: string, path: string, Answer: z.ZodType<T>, body?: object): Promise<T> {
      const answer = await fetch(api_url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
      return Answer.parse(JSON.parse(text))
    },
    async until(what: string, look: () => Promise<boolean>): Promise<void> {
      for (const end = Date.now() + 180_000; !(await look()); await sleep(300)) {
        if (Date.now() > end) throw new Error(`It never came to this: ${what}`)
      }
    },
  }
}
