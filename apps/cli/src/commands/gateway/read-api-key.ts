import { text } from 'node:stream/consumers'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failures.ts'

/** The key of a provider, from stdin alone: arguments are seen by every process, and kept by shells. */
export async function readApiKey(cli: Cli, given: string, command: string): Promise<string> {
  const next = `printf %s "$KEY" | svc ${command} --api-key -`
  if (given !== '-')
    throw new UsageError('a key in the arguments can be seen by others; give it on stdin', next)
  const key = (await text(cli.io.stdin)).trim()
  if (key === '') throw new UsageError('stdin was empty', next)
  return key
}
