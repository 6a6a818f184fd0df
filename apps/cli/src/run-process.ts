import { homedir } from 'node:os'
import { CommanderError } from 'commander'
import type { Target } from './config/target.ts'
import { ReportedFailure, UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { renderFailure } from './output/render-failure.ts'
import { runProgram } from './program.ts'
import { throughProxy } from './proxy/through-proxy.ts'

export type Outcome = 'done' | 'failed' | 'misused'

/** Runs a command line in this process and tells its failure on stderr. */
export async function runProcess(argv: readonly string[]): Promise<Outcome> {
  const io: Io = {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => void process.off('SIGINT', listener)
    },
  }
  let target: Target | null = null
  try {
    await throughProxy(io.env)
    await runProgram(argv, io, (found) => (target = found))
    return 'done'
  } catch (error) {
    // Commander has printed its own words already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 'done' : 'misused'
    if (!(error instanceof ReportedFailure)) io.stderr.write(`${renderFailure(error, target)}\n`)
    return error instanceof UsageError ? 'misused' : 'failed'
  }
}
