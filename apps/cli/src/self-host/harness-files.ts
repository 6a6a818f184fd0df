import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { OperationError } from '../failures.ts'
import type { Env } from '../io.ts'
import { builtProgram } from './built-program.ts'
import { placesOf } from './places.ts'

interface Pipes {
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/**
 * Has the platform of this machine work on its installs, whether it runs or not. Returns all that it printed, unless that
 * goes elsewhere; its words are the error when it fails.
 */
export async function runHarnessFiles(
  env: Env,
  args: readonly string[],
  { stdin, stdout }: Pipes,
  next: string,
): Promise<string> {
  const places = await placesOf(env)
  const program = await builtProgram(places, 'harness-files')
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, SVC_DATA_DIR: places.data },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A program that has ended reads no more, and has said why.
  if (stdin === undefined) child.stdin.end()
  else void pipeline(stdin, child.stdin).catch(() => undefined)
  const [printed, said, ended] = await Promise.all([
    stdout === undefined ? text(child.stdout) : pipeline(child.stdout, stdout, { end: false }).then(() => ''),
    text(child.stderr),
    code,
  ])
  if (ended !== 0) throw new OperationError(said.trim() || `it ended with ${ended ?? 'a signal'}`, next)
  return printed
}
