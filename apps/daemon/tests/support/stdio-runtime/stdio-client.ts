import { createInterface } from 'node:readline'
import { sessionLog } from '@svc/contract'
import { z } from 'zod'
import { type RuntimeClient, RuntimeRefusal, type RuntimeSignal } from '../../../src/runtimes/runtime.ts'
import type { SpawnedProcess } from '../../../src/runtimes/process.ts'
import { whenAborted } from '../../../src/shared/when-aborted.ts'

const Line = z.union([
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ signal: z.custom<RuntimeSignal>((value) => typeof value === 'object') }),
])
const Page = z.object({ messages: z.array(sessionLog.TranscriptMessage), next_before: z.string().nullable() })
const Record = z.object({ answered: z.boolean(), aborted: z.boolean(), error: z.string().nullable() })

/** A client over the standard input and output of a process. */
export function createStdioClient(
  { child }: Pick<SpawnedProcess, 'child'>,
  modelOf: (asked: string | undefined) => string | undefined,
): RuntimeClient {
  const open = new Map<number, (result: unknown) => void>()
  let onSignal: (signal: RuntimeSignal) => void = () => undefined
  let calls = 0
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = Line.parse(JSON.parse(text))
    if ('signal' in line) return onSignal(line.signal)
    open.get(line.id)?.(line.result)
    open.delete(line.id)
  })
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      calls += 1
      open.set(calls, resolve)
      child.once('exit', () => reject(new RuntimeRefusal('The agent has ended', 503)))
      child.stdin.write(`${JSON.stringify({ id: calls, method, params })}\n`)
    })
  const lacks = async (): Promise<never> => {
    throw new RuntimeRefusal('This agent asks for nothing', 409)
  }
  let session_id = ''

  return {
    openSession: async (known) => (session_id = z.string().parse(await ask('open', { known }))),
    listen: async (signal, onEvent) => {
      onSignal = onEvent
      onEvent({ kind: 'connected' })
      await whenAborted(signal)
    },
    busySessions: async () => new Map((await ask('busy')) === true ? [[session_id, 'busy'] as const] : []),
    marker: async () =>
      z
        .string()
        .nullable()
        .parse(await ask('marker')),
    prompt: async (_session, { text, model }) => void (await ask('prompt', { text, model: modelOf(model) })),
    turnRecord: async (_session, marker) => Record.parse(await ask('record', { marker })),
    abort: async () => void (await ask('abort')),
    revert: async (_session, message_id) => void (await ask('revert', { message_id })),
    messages: async (_session, page) => Page.parse(await ask('messages', page)),
    answerPermission: lacks,
    answerQuestion: lacks,
    healthy: async () => (await ask('busy')) !== undefined,
  }
}
