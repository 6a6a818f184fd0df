import { readFile } from 'node:fs/promises'
import { UsageError } from '../failures.ts'
import { fileStep } from './file-step.ts'

/** The content of a file that a flag names; refuses one that cannot be read, with `named` as the flag has it. */
export async function readGivenFile(path: string, named: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new UsageError(`cannot read ${named}${why}`, fileStep(cause) ?? 'name another file')
  })
}
