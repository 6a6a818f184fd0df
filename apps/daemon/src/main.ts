import { settled } from '@svc/timing'
import { createLog } from './log.ts'
import { runCredentialHelper } from './repository/credential-helper.ts'
import { startEarlyFetch } from './warm/early-fetch.ts'
import { startEarlyRuntime } from './warm/early-runtime.ts'

/** A repository that takes longer is fetched beside the rest. */
const timeoutMs = 500

/** One file, two uses: git runs it with `credential`, the sandbox's entrypoint with nothing. */
async function main(): Promise<void> {
  const [word, ...rest] = process.argv.slice(2)
  if (word === 'credential') return runCredentialHelper(rest)
  const log = createLog((line) => void process.stdout.write(line))
  const [fetch, runtime] = await Promise.all([
    startEarlyFetch(process.env, log),
    startEarlyRuntime(process.env, log),
  ])
  try {
    // The repository comes through this process, which stands still while the rest is loaded.
    if (fetch?.forwarders || fetch?.server) {
      // As long as git itself begins, it is not missed.
      if (fetch.server === null) await import('zod')
      await settled(timeoutMs, fetch.begun)
    }
    // Loaded only here: git does not wait for what it does not need, and the rest begins beside it.
    const { runDaemon } = await import('./run-daemon.ts')
    await runDaemon(log, { fetch, runtime })
  } catch (error) {
    runtime?.end()
    throw error
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-agent: ${error instanceof Error ? error.message : String(error)}\n`)
  // Processes that it has started may still hold its pipes open.
  process.exit(1)
})
