import { createFile } from '@svc/files'
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { isObject } from '../json-values.ts'

/** A platform that `self-host start` started and that has not been stopped. */
export interface Running {
  readonly pid: number
}

/** The script of the checkout that runs the platform; also the mark by which its process is known. */
export const startScript = 'scripts/start.mjs'

/** The process that the file names, if it lives and is the platform: a number may be another program's by now. */
export async function findRunning(file: string): Promise<Running | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  const pid = text === null ? null : pidOf(text)
  return pid !== null && (await commandOf(pid)).includes(startScript) ? { pid } : null
}

/** Remembers one of two platforms that start at once; false for the other, which has to give way. */
export async function rememberRunning(file: string, { pid }: Running): Promise<boolean> {
  return createFile(file, `${JSON.stringify({ pid })}\n`).catch(() => false)
}

export async function forgetRunning(file: string): Promise<void> {
  await rm(file, { force: true })
}

function pidOf(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text)
    const pid = isObject(value) ? value['pid'] : null
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

/** The command line of a process; empty for one that ended, even when its parent has not collected it yet. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.replaceAll('\0', ' ')
  }
  return new Promise((resolve) => {
    execFile('ps', ['-p', String(pid), '-o', 'command='], (error, stdout) =>
      resolve(error === null ? stdout : ''),
    )
  })
}
