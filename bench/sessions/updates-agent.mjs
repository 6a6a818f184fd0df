// An agent of the protocol that only writes: the prompt "<updates> <pause in ms>" is answered by so many pieces of text, at once or one
// by one, each with the time at which it was written.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const lineOf = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const sessionId = 'updates'
/** Lines that one write takes to the pipe, where nothing is waited for. */
const together = 200

async function write(text) {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

async function answer(updates, pause_ms) {
  let lines = ''
  for (let n = 1; n <= updates; n += 1) {
    const text = `${performance.timeOrigin + performance.now()} `
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
    lines += lineOf({ method: 'session/update', params: { sessionId, update } })
    if (pause_ms === 0 && n % together !== 0 && n !== updates) continue
    await write(lines)
    lines = ''
    if (pause_ms > 0) await sleep(pause_ms)
  }
}

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  'session/new': () => ({ sessionId }),
  'session/prompt': async ({ prompt }) => {
    const [, updates, pause_ms] = /(\d+) (\d+)/.exec(prompt[0].text)
    await answer(Number(updates), Number(pause_ms))
    return { stopReason: 'end_turn' }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = methods[method]?.(params)
  if (id === undefined) continue
  if (result === undefined)
    await write(lineOf({ id, error: { code: -32601, message: 'There is no such method' } }))
  else void Promise.resolve(result).then((given) => write(lineOf({ id, result: given })))
}
