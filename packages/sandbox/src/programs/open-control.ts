import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { noUpgrade } from '@svc/timing'
import type { ProgramControl, ProgramLine, ProgramState } from '../program.ts'
import type { SandboxEndpoint } from '../provider.ts'
import { SandboxError } from '../sandbox-error.ts'
import { ControlAgent } from './control-agent.ts'

interface Question {
  readonly method: string
  readonly path: string
  readonly body?: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** The control of a program, over connections of its own to where its sandbox answers. */
export function openControl(endpoint: SandboxEndpoint, token: string): ProgramControl {
  const agent = new ControlAgent(endpoint, token)
  const ask = (question: Question) => asked(agent, endpoint, question)
  const drop = async (question: Question): Promise<void> => void (await textOf(await ask(question)))
  // Named boundary: svc-appd writes what it answers from the same types.
  const read = async <T>(question: Question): Promise<T> => JSON.parse(await textOf(await ask(question))) as T
  return {
    put: (archive, signal) => drop({ method: 'PUT', path: '/files', body: archive, signal }),
    start: (program, signal) =>
      read<ProgramState>({
        ...{ method: 'POST', path: '/program', signal },
        body: Readable.from([Buffer.from(JSON.stringify(program))]),
      }),
    state: (signal) => read<ProgramState>({ method: 'GET', path: '/state', signal }),
    lines: ({ after, limit, wait_ms }, signal) => {
      const query = queryOf({ after, limit, wait_ms })
      return read<readonly ProgramLine[]>({ method: 'GET', path: `/lines?${query}`, signal })
    },
    take: (folder, signal) => ask({ method: 'GET', path: `/files?${queryOf({ folder })}`, signal }),
    drain: (grace_ms, signal) =>
      drop({ method: 'POST', path: `/drain?${queryOf({ grace_ms: Math.round(grace_ms) })}`, signal }),
    close: async () => agent.destroy(),
  }
}

function queryOf(values: Readonly<Record<string, string | number>>): string {
  return new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
}

async function asked(
  agent: ControlAgent,
  { headers = {} }: SandboxEndpoint,
  { method, path, body, signal }: Question,
): Promise<IncomingMessage> {
  signal.throwIfAborted()
  const sent = noUpgrade(request({ agent, method, path, signal, headers: { ...headers, host: 'program' } }))
  try {
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    if (body === undefined) sent.end()
    // A refusal may come before all was sent, and is what counts.
    else void pipeline(body, sent).catch((error: unknown) => sent.destroy(toError(error)))
    const [answer] = await answered
    if (answer.statusCode === 200 || answer.statusCode === 204) return answer
    throw refusalOf(answer.statusCode ?? 500, await textOf(answer))
  } catch (error) {
    if (signal.aborted || error instanceof SandboxError) throw error
    throw new SandboxError(
      'network',
      `The sandbox of the program does not answer: ${toError(error).message}`,
      {
        cause: error,
      },
    )
  }
}

/** `gone` never: only its provider knows that. */
function refusalOf(status: number, text: string): SandboxError {
  let message = text
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'message' in body) message = String(body.message)
  } catch {
    // As it came.
  }
  return new SandboxError(status === 413 ? 'quota' : 'internal', message)
}

/** More than all lines that are asked for at once; a program may be in the place of its svc-appd. */
const maxAnswerChars = 64 * 1024 * 1024

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  answer.setEncoding('utf8')
  for await (const part of answer as AsyncIterable<string>) {
    text += part
    if (text.length > maxAnswerChars)
      throw new SandboxError('network', 'The sandbox of the program answers too much')
  }
  return text
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
