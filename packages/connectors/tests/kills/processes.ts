import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect } from 'vitest'
import type { Reached } from './held-lines.ts'

export interface Child {
  readonly url: string
  /** The sessions whose calls are at their lines, one entry for each call. */
  readonly reached: readonly string[]
  readonly send: (message: object) => void
  /** Resolves once the process is gone. */
  readonly kill: () => Promise<void>
}

const running = new Set<ChildProcess>()

/** Called at the top of a file: no process outlives its tests. */
export function endChildren(): void {
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** A program that says on which port it listens. */
export async function startChild(program: string, settings: object): Promise<Child> {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  running.add(child)
  const ended = once(child, 'exit').finally(() => running.delete(child))
  const reached: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: { readonly port: number } | Reached) => {
      if ('port' in message) resolve(message.port)
      else reached.push(message.reached)
    })
    child.once('exit', () => reject(new Error(`${program} did not start`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    send: (message) => void child.send(message),
    kill: async () => {
      child.kill('SIGKILL')
      const [, signal] = await ended
      expect(signal).toBe('SIGKILL')
    },
  }
}
