import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A program of a bench in a process of its own: it says where it listens, and ends when it is told to or left alone. */
export function startChild(file: URL, args: readonly string[]): ChildProcess {
  const child = fork(fileURLToPath(file), [...args], { execArgv: ['--import', import.meta.resolve('tsx')] })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.send('end')
  await exited
}
