import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { plain } from '../output/plain.ts'
import { waitingFor } from '../output/spinner.ts'
import { type Compose, logTail } from './compose.ts'

/** One command of compose while the person waits; one that fails says what compose said. */
export async function composeStep(
  cli: Cli,
  compose: Compose,
  words: string,
  ...args: readonly string[]
): Promise<void> {
  const { code, output } = await waitingFor(cli, words, compose.run(...args))
  if (code === 0) return
  for (const line of logTail(output, 15)) cli.out.note(`  ${plain(line)}`)
  throw new OperationError('the containers did not start', 'svc self-host logs tells more')
}
