import { createLog } from '../../../src/log.ts'
import { runCredentialHelper } from '../../../src/repository/credential-helper.ts'
import { runDaemon } from '../../../src/run-daemon.ts'
import { runtimes } from '../../../src/runtimes/registry.ts'
import { createStdio } from './create-stdio.ts'

/** The daemon with one more runtime in its registry. */
async function main(): Promise<void> {
  const [word, ...rest] = process.argv.slice(2)
  if (word === 'credential') return runCredentialHelper(rest)
  const log = createLog((line) => void process.stdout.write(line))
  await runDaemon(log, { runtime: null, fetch: null }, { ...runtimes, stdio: createStdio })
}

void main()
