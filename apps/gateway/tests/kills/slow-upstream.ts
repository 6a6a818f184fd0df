import type { ServerResponse } from 'node:http'
import { type StubUpstream, stubUpstream } from '../support/stub-upstream.ts'

const pauseMs = 200
const piece = 'eight words are written with each of these '
/** Tokens that it says it wrote with each piece. */
const tokensOfPiece = 8

export interface SlowUpstream extends Omit<StubUpstream, 'answers'> {
  /** Ends every stream that runs, as a provider does. */
  finish(): void
  running(): number
}

/** Streams that go on until they are told to end. Each tenth one never says what it used. */
export async function slowUpstream(): Promise<SlowUpstream> {
  const { answers, ...stub } = await stubUpstream()
  const streams = new Set<() => void>()
  let asked = 0
  answers((res: ServerResponse) => {
    const tells = ++asked % 10 !== 0
    let pieces = 0
    const send = (value: object) => res.write(`data: ${JSON.stringify({ id: 'x', ...value })}\n\n`)
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => {
      pieces += 1
      send({ choices: [{ index: 0, delta: { content: piece } }] })
    }, pauseMs)
    const end = () => {
      send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      const usage = { prompt_tokens: 20, completion_tokens: pieces * tokensOfPiece }
      if (tells) send({ choices: [], usage })
      res.end('data: [DONE]\n\n')
    }
    streams.add(end)
    res.on('close', () => {
      clearInterval(timer)
      streams.delete(end)
    })
  })
  return {
    ...stub,
    running: () => streams.size,
    finish: () => {
      for (const end of [...streams]) end()
    },
  }
}
