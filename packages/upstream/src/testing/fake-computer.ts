import { once } from 'node:events'
import {
  computerProtocol,
  type ComputerTool,
  type FrameFromComputer,
  frameToComputer,
  type FrameToComputer,
} from '@svc/connector'
import { WebSocket } from 'ws'

type Call = Extract<FrameToComputer, { readonly type: 'call' }>

export interface FakeComputer {
  /** Every call that came, each time that it came. */
  readonly asked: Call[]
  /** The calls that were run: an answered one is answered again, and one that runs is let run. */
  readonly ran: string[]
  /** Whether calls wait for `release`. */
  hold: boolean
  release(): void
  /** Dials, and says its tools; `closed` is the code of the end. */
  dial(url: string, token?: string): Promise<{ readonly closed: Promise<number>; break(): void }>
}

/** A computer that serves these tools, and keeps what it answered, as the protocol wants it. */
export function fakeComputer(tools: readonly ComputerTool[]): FakeComputer {
  const answers = new Map<string, unknown>()
  let waiting: (() => void)[] = []
  let current: WebSocket | undefined
  const send = (frame: FrameFromComputer) => current?.send(JSON.stringify(frame))
  const answer = (call_id: string) =>
    send({ type: 'result', call_id, result: { ok: true, data: answers.get(call_id), truncated: false } })
  const run = async ({ call_id, action, args }: Call) => {
    if (answers.has(call_id)) return answer(call_id)
    if (computer.ran.includes(call_id)) return
    computer.ran.push(call_id)
    if (computer.hold) await new Promise<void>((resolve) => waiting.push(resolve))
    answers.set(call_id, { action, args })
    answer(call_id)
  }
  const computer: FakeComputer = {
    asked: [],
    ran: [],
    hold: false,
    release() {
      for (const go of waiting) go()
      waiting = []
    },
    async dial(url, token = '') {
      const socket = new WebSocket(url, computerProtocol, { headers: { authorization: `Bearer ${token}` } })
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      await once(socket, 'open')
      current = socket
      socket.on('error', () => {})
      socket.on('message', (data) => {
        const frame = frameToComputer(String(data))
        if (frame?.type === 'ping') send({ type: 'pong' })
        if (frame?.type !== 'call') return
        computer.asked.push(frame)
        void run(frame)
      })
      send({ type: 'hello', name: 'laptop', tools: [...tools] })
      return { closed, break: () => socket.terminate() }
    },
  }
  return computer
}
