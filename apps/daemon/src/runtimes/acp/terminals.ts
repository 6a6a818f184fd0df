import { type ChildProcess, spawn } from 'node:child_process'
import { RequestError } from '@agentclientprotocol/sdk'
import { deferred } from '../../shared/deferred.ts'

const maxTerminals = 32
const maxOutputBytes = 16 * 1024 * 1024
const defaultOutputBytes = 1024 * 1024

export interface TerminalWish {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly limit: number | null
}

interface Exit {
  readonly exitCode: number | null
  readonly signal: string | null
}

interface Terminal {
  readonly child: ChildProcess
  readonly chunks: Buffer[]
  size: number
  truncated: boolean
  exit: Exit | null
  readonly over: Promise<Exit>
}

/** Commands that an agent has the platform run, each in a group of its own that ends with it. */
export function createTerminals(parts: {
  /** The environment of the session; the daemon's own is never handed on. */
  readonly env: Readonly<Record<string, string>>
  readonly onOutput: (id: string) => void
}) {
  const terminals = new Map<string, Terminal>()
  let made = 0

  function of(id: string): Terminal {
    const terminal = terminals.get(id)
    if (terminal === undefined) throw RequestError.resourceNotFound(id)
    return terminal
  }

  function kill(terminal: Terminal): void {
    const { pid } = terminal.child
    if (pid === undefined || terminal.exit !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group has ended meanwhile.
    }
  }

  return {
    create: ({ command, args, env, cwd, limit }: TerminalWish): string => {
      const running = [...terminals.values()].filter(({ exit }) => exit === null)
      if (running.length >= maxTerminals)
        throw new RequestError(-32602, `At most ${maxTerminals} terminals run at a time; release one first`)
      made += 1
      const id = `term_${made}`
      const max = Math.min(limit ?? defaultOutputBytes, maxOutputBytes)
      // Some agents put a whole line where the protocol has a program.
      const isLine = args.length === 0 && /\s/.test(command.trim())
      const child = spawn(isLine ? 'sh' : command, isLine ? ['-c', command] : [...args], {
        cwd,
        env: { ...parts.env, ...env },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const over = deferred<Exit>()
      const terminal: Terminal = {
        ...{ child, chunks: [], size: 0, truncated: false, exit: null },
        over: over.promise,
      }
      const end = (exit: Exit): void => {
        terminal.exit ??= exit
        over.resolve(terminal.exit)
      }
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          terminal.chunks.push(chunk)
          terminal.size += chunk.length
          while (terminal.size > max) {
            const [first] = terminal.chunks
            if (first === undefined) break
            const spare = Math.min(first.length, terminal.size - max)
            if (spare === first.length) terminal.chunks.shift()
            else terminal.chunks[0] = first.subarray(spare)
            terminal.size -= spare
            terminal.truncated = true
          }
          parts.onOutput(id)
        })
      }
      child.once('error', (error) => {
        terminal.chunks.push(Buffer.from(`${error.message}\n`))
        end({ exitCode: 127, signal: null })
      })
      // Not `close`: a command in the background may hold the pipes open. What was printed is read by then.
      child.once('exit', (exitCode, signal) => setTimeout(() => end({ exitCode, signal }), 30))
      terminals.set(id, terminal)
      return id
    },

    output: (id: string) => {
      const { chunks, truncated, exit } = of(id)
      return {
        output: decoded(Buffer.concat(chunks)),
        truncated,
        ...(exit === null ? {} : { exitStatus: exit }),
      }
    },

    wait: (id: string): Promise<Exit> => of(id).over,

    kill: (id: string): void => kill(of(id)),

    release: (id: string): void => {
      kill(of(id))
      terminals.delete(id)
    },

    killAll: (): void => {
      for (const terminal of terminals.values()) kill(terminal)
    },

    get running(): number {
      return [...terminals.values()].filter(({ exit }) => exit === null).length
    },
  }
}

export type Terminals = ReturnType<typeof createTerminals>

/** Cut at a character: the ring may begin in the middle of one. */
function decoded(bytes: Buffer): string {
  let from = 0
  while (from < Math.min(4, bytes.length) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
  return bytes.subarray(from).toString('utf8')
}
