import { spawn } from 'node:child_process'
import type { RunningCall } from './tool-call.ts'
import type { Session } from './session.ts'

const outputByteLimit = 1024 * 1024

/** Runs a command in a terminal of the client where it has them, else in a process group of its own. */
export function runCommand(session: Session, command: string, call: RunningCall): Promise<string> {
  const isClients = session.settings.client_terminal && session.capabilities.terminal === true
  return isClients ? inTerminal(session, command, call) : inGroup(session, command, call)
}

async function inTerminal(session: Session, command: string, call: RunningCall): Promise<string> {
  const terminal = await session.client.createTerminal({
    sessionId: session.id,
    command: 'bash',
    args: ['-c', command],
    cwd: session.cwd,
    outputByteLimit,
  })
  const kill = (): void => void terminal.kill().catch(() => undefined)
  call.signal.addEventListener('abort', kill)
  try {
    await call.show([{ type: 'terminal', terminalId: terminal.id }])
    if (call.signal.aborted) kill()
    const { exitCode, signal } = await terminal.waitForExit()
    const { output } = await terminal.currentOutput()
    return withEnd(output, exitCode ?? null, signal ?? null)
  } finally {
    call.signal.removeEventListener('abort', kill)
    await terminal.release()
  }
}

async function inGroup(session: Session, command: string, call: RunningCall): Promise<string> {
  const child = spawn('bash', ['-c', command], {
    cwd: session.cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has ended by itself.
    }
  }
  call.signal.addEventListener('abort', kill)
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => chunks.push(data))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  call.signal.removeEventListener('abort', kill)
  const output = Buffer.concat(chunks).subarray(0, outputByteLimit).toString('utf8')
  return withEnd(output, code, signal)
}

/** The output, and how the command ended unless it did well. */
function withEnd(output: string, code: number | null, signal: string | null): string {
  if (code === 0) return output
  return `${output}\n[ended with ${signal ?? `code ${code}`}]`
}
