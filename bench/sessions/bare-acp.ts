import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const Message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ update: z.looseObject({ sessionUpdate: z.string() }).optional() }).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})

/** A program of the Agent Client Protocol with as little before it as there can be: lines out, lines in. */
export interface BareAgent {
  /** Resolves with the answer; `onText` sees each piece of the agent's words that comes before it. */
  ask(method: string, params: object, onText?: () => void): Promise<unknown>
  close(): Promise<void>
}

export function startBareAgent(
  file: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): BareAgent {
  // Some start a process of their own and leave it, and some stay when they are asked to go.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<unknown, { answer(result: unknown): void; refuse(error: Error): void }>()
  let listener: (() => void) | undefined
  let made = 0
  const write = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return
    const { id, method, params, result, error } = Message.parse(JSON.parse(line))
    if (method !== undefined) {
      if (params?.update?.sessionUpdate === 'agent_message_chunk') listener?.()
      if (id !== undefined) write({ id, error: { code: -32601, message: 'There is no such method here' } })
      return
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.answer(result)
    else asked?.refuse(new Error(line))
  })
  return {
    ask: (method, params, onText) => {
      made += 1
      listener = onText
      write({ id: made, method, params })
      return new Promise((answer, refuse) => waiting.set(made, { answer, refuse }))
    },
    close: async () => {
      const gone = once(child, 'exit')
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await gone
    },
  }
}
