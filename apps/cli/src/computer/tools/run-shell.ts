import { spawn } from 'node:child_process'
import { type LocalTool, objectSchema, optionalNumber, optionalText, textArgument } from '../local-tool.ts'
import { confined } from './confined.ts'

const maxOutput = 256 * 1024
const defaultSeconds = 60

/** Runs a command of the shell as the person who serves the computer, with all that this person may: `{ exit_code, signal, stdout, stderr }`. */
export function shellTool(root: string): LocalTool {
  return {
    action: 'shell.run',
    title: 'Run a command',
    description: 'Runs a command of the shell on the person’s computer; it is not confined to the folder.',
    risk: 'destructive',
    input_schema: objectSchema(
      {
        command: { type: 'string', minLength: 1 },
        cwd: { type: 'string', default: '.' },
        timeout_seconds: { type: 'integer', minimum: 1, maximum: 300, default: defaultSeconds },
      },
      ['command'],
    ),
    run: async (args, { signal, onProgress }) => {
      const command = textArgument(args, 'command')
      const cwd = await confined(root, optionalText(args, 'cwd') ?? '.')
      const seconds = optionalNumber(args, 'timeout_seconds', 1, 300) ?? defaultSeconds
      const child = spawn(command, { cwd, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const end = () => {
        // The whole group: a shell leaves what it started behind.
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGKILL')
      }
      const timer = setTimeout(end, seconds * 1000)
      signal.addEventListener('abort', end, { once: true })
      const [stdout, stderr] = [kept(), kept()]
      child.stdout.on('data', (chunk: Buffer) => {
        stdout.add(chunk)
        onProgress(chunk.toString().slice(-1_000))
      })
      child.stderr.on('data', stderr.add)
      try {
        const [exit_code, ended_by] = await new Promise<[number | null, string | null]>((resolve, reject) => {
          child.once('error', reject)
          child.once('close', (code, by) => resolve([code, by]))
        })
        signal.throwIfAborted()
        const data = { exit_code, signal: ended_by, stdout: stdout.text(), stderr: stderr.text() }
        return { data, truncated: stdout.isCut() || stderr.isCut() }
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
      }
    },
  }
}

/** The beginning of an output. */
function kept() {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add: (chunk: Buffer) => {
      if (size < maxOutput) chunks.push(chunk.subarray(0, maxOutput - size))
      size += chunk.length
    },
    text: () => Buffer.concat(chunks).toString(),
    isCut: () => size > maxOutput,
  }
}
