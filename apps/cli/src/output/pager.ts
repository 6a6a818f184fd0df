import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Io } from '../io.ts'

/** The exit code of a shell that finds no such program. */
const notFound = 127

/**
 * Shows text on the terminal through the person's pager: `PAGER`, else less, which leaves a short text where it is.
 * Without a pager, or with `PAGER` empty or `cat`, the text goes straight out.
 */
export async function showPaged(io: Io, text: string): Promise<void> {
  const pager = io.env['PAGER'] ?? (process.platform === 'win32' ? 'more' : 'less')
  const plainly = ['', 'cat'].includes(pager.trim()) || io.env['TERM'] === 'dumb'
  if (plainly || !(await runPager(io, pager, text))) io.stdout.write(text)
}

async function runPager(io: Io, pager: string, text: string): Promise<boolean> {
  // Quit on a short text, let colours through, keep the screen: as git asks it of less.
  const env = { LESS: 'FRX', LV: '-c', ...io.env }
  const child = spawn(pager, { env, cwd: io.cwd, shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
  // A person who has seen enough leaves before the end.
  child.stdin.on('error', () => undefined)
  child.stdin.end(text)
  // Ctrl-C belongs to the pager while it runs.
  const undo = io.onInterrupt(() => undefined)
  try {
    const [code] = await once(child, 'close')
    return code !== notFound
  } catch {
    return false
  } finally {
    undo()
  }
}
