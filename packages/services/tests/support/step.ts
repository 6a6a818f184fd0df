import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'

/** A program in a process of its own. Its last argument is the step at which it stands until it is killed. */
export async function runProgram(file: URL, args: readonly string[]) {
  const program = await bundleProcess(file)
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Kills it as soon as it stands at the step. */
export async function killedAt(started: ReturnType<typeof runProgram>, step: string): Promise<void> {
  const child = await started
  expect(String(await once(child.stdout, 'data'))).toBe(`${step}\n`)
  await killed(child)
}

export async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
}

export async function done(started: ReturnType<typeof runProgram>): Promise<void> {
  expect((await once(await started, 'exit'))[0]).toBe(0)
}
