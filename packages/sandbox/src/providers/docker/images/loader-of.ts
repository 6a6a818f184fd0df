import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SandboxError } from '../../../sandbox-error.ts'

export interface Loader {
  /** The dynamic loader of a program of this machine, and the libraries that it loads. */
  readonly loader: string
  readonly libraries: readonly string[]
}

/** Finds what a binary of this machine needs to run elsewhere. */
export async function loaderOf(binary: string): Promise<Loader> {
  const { stdout } = await promisify(execFile)('ldd', [binary]).catch((cause: unknown) => {
    throw new SandboxError('image', `The libraries of ${binary} cannot be found with ldd.`, { cause })
  })
  return parseLdd(stdout)
}

export function parseLdd(text: string): Loader {
  let loader: string | null = null
  const libraries: string[] = []
  for (const line of text.split('\n')) {
    const found = /^\s*(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/.exec(line)?.[1]
    if (found === undefined) continue
    if (/\/ld-[^/]*$/.test(found)) loader = found
    else libraries.push(found)
  }
  if (loader === null) throw new SandboxError('image', 'This Node binary names no dynamic loader.')
  return { loader, libraries }
}
