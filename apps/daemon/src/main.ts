import { createLog } from './log.ts'
import { runCredentialHelper } from './repository/credential-helper.ts'
import { startEarlyRuntime } from './warm/early-runtime.ts'

/** One file, two uses: git runs it with `credential`, the sandbox's entrypoint with nothing. */
async function main(): Promise<void> {
  const [word, ...rest] = process.argv.slice(2)
  if (word === 'credential') return runCredentialHelper(rest)
  const log = createLog((line) => void process.stdout.write(line))
  const early = await startEarlyRuntime(process.env, log)
  try {
    // Loaded only here: git does not wait for what it does not need, and the runtime loads beside it.
    const { runDaemon } = await import('./run-daemon.ts')
    await runDaemon(log, early)
  } catch (error) {
    early?.end()
    throw error
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-agent: ${error instanceof Error ? error.message : String(error)}\n`)
  // What it has started may still hold its pipes open.
  process.exit(1)
})
