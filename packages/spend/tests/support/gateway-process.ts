import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import type { CallToAdmit } from '../../src/index.ts'

const runner = await bundleProcess(new URL('run-gateway.ts', import.meta.url))

export interface GatewayProcess {
  readonly process: ChildProcess
  /** Resolves once it printed this. */
  said(step: string): Promise<void>
  kill(): Promise<void>
}

/** Starts a gateway as a process, which goes as far as `what`. */
export function startGateway(connection_string: string, what: string, call: CallToAdmit): GatewayProcess {
  const args = [runner, connection_string, what, JSON.stringify(call)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const heard = new Set<string>()
  lines.on('line', (line) => heard.add(line))
  return {
    process: child,
    said: async (step) => {
      while (!heard.has(step)) {
        if (child.exitCode !== null) throw new Error(`The process ended before it was ${step}`)
        await Promise.race([once(lines, 'line'), once(child, 'exit')])
      }
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
