import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const hasScript = spawnSync('script', ['--version']).status === 0
if (!hasScript && process.env['CI']) throw new Error('these tests need `script` of util-linux')
if (!hasScript)
  console.log('skipped: `script` of util-linux is not installed, so there is no terminal to test on')

/** False where there is no terminal to test on, which CI refuses. */
export const hasTerminal = hasScript

const maxMs = 60_000

export interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns: number
  /** The words typed, one after the other, each once the output since the one before matches the pattern. */
  readonly typed?: readonly (readonly [RegExp, string])[]
}

/** The output of a shell command with a terminal on all three ends. */
export async function onTerminal(command: string, options: TerminalOptions): Promise<string> {
  const { cwd, env, columns, typed = [] } = options
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${command}`, '/dev/null'], {
    cwd,
    stdio: [typed.length === 0 ? 'ignore' : 'pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm', ...env },
  })
  let output = ''
  let answered = 0
  const waiting = [...typed]
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const [next] = waiting
    if (next === undefined || !next[0].test(withoutEscapes(output.slice(answered)))) return
    waiting.shift()
    answered = output.length
    child.stdin?.write(next[1])
  })
  // A test that waits for words that never come is told which.
  const give_up = typed.length === 0 ? undefined : setTimeout(() => child.kill(), maxMs)
  await once(child, 'close')
  clearTimeout(give_up)
  if (waiting.length > 0) throw new Error(`never asked for ${String(waiting[0]?.[0])}:\n${output}`)
  return output.replaceAll('\r\n', '\n')
}

/** The output without the line that moves while the person waits, which depends on how long that is. */
export function withoutSpinner(output: string): string {
  return output.replace(/(?:\r\u001b\[2K[⠁-⣿] [^\r\n\u001b]*)*\r\u001b\[2K/gu, '')
}

/** The output without colours and moves of the cursor. */
export function withoutEscapes(output: string): string {
  return output.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '').replaceAll('\r', '')
}
