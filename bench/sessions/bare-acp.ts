import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program of the Agent Client Protocol with as little before it as there can be: lines out, lines in. */
export interface BareAgent {
  /** Resolves with the answer; `onUpdate` sees everything that comes before it. */
  ask(method: string, params: object, onUpdate?: () => void): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export function startBareAgent(
  file: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): BareAgent {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<unknown, (result: Record<string, unknown>) => void>()
  let listener: (() => void) | undefined
  let made = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Record<string, unknown>
    if (message['method'] === 'session/update') listener?.()
    else if (message['error'] !== undefined) throw new Error(line)
    else waiting.get(message['id'])?.(message['result'] as Record<string, unknown>)
  })
  return {
    ask: (method, params, onUpdate) => {
      made += 1
      listener = onUpdate
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: made, method, params })}\n`)
      return new Promise((resolve) => waiting.set(made, resolve))
    },
    close: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
