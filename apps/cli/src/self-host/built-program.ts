import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { OperationError } from '../failures.ts'
import type { Places } from './places.ts'

/** A program of the platform in one process, as its build made it. */
export async function builtProgram({ checkout }: Places, name: string): Promise<string> {
  const program = join(checkout, 'apps/standalone/dist', `${name}.js`)
  await access(program).catch((cause: unknown) => {
    throw new OperationError('the platform is not built', '`npx pnpm run build` in its checkout', { cause })
  })
  return program
}
