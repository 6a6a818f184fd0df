import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import type { Order } from './platform-order.ts'

export interface Platform {
  /** Resolves with the next line it prints; null when it has ended. */
  nextLine(): Promise<string | null>
  kill(): Promise<void>
}

/** Starts a platform process that tests may kill at any moment. */
export async function startPlatform(order: Order): Promise<Platform> {
  const script = await bundleProcess(new URL('platform-process.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('The platform has no output.')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  return {
    nextLine: async () => {
      const { done, value } = await lines.next()
      return done === true ? null : value
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
