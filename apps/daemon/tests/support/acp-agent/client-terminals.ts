import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk'

interface Terminals {
  readonly commands: string[]
  create(params: CreateTerminalRequest): CreateTerminalResponse
  output(id: string): TerminalOutputResponse
  wait(id: string): Promise<WaitForTerminalExitResponse>
  kill(id: string): void
}

/** Terminals of a client, as simple as they can be. */
export function createTerminals(): Terminals {
  const open = new Map<string, { child: ChildProcess; closed: Promise<unknown>; output: string }>()
  const commands: string[] = []
  const of = (id: string) => {
    const terminal = open.get(id)
    if (terminal === undefined) throw new Error(`no terminal ${id}`)
    return terminal
  }
  return {
    commands,
    create: ({ command, args = [], cwd }) => {
      commands.push([command, ...args].join(' '))
      const child = spawn(command, args, { cwd: cwd ?? undefined, detached: true })
      const terminal = { child, closed: once(child, 'close'), output: '' }
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data: Buffer) => (terminal.output += data.toString('utf8')))
      }
      const terminalId = `terminal-${open.size}`
      open.set(terminalId, terminal)
      return { terminalId }
    },
    output: (id) => ({ output: of(id).output, truncated: false }),
    wait: async (id) => {
      const { child, closed } = of(id)
      await closed
      return { exitCode: child.exitCode, signal: child.signalCode }
    },
    kill: (id) => {
      const { pid } = of(id).child
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    },
  }
}
