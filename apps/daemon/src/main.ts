import { runCredentialHelper } from './repository/credential-helper.ts'

/** One file, two uses: git runs it with `credential`, the sandbox's entrypoint with nothing. */
async function main(): Promise<void> {
  const [word, ...rest] = process.argv.slice(2)
  if (word === 'credential') return runCredentialHelper(rest)
  // Loaded only here, so that git does not wait for what it does not need.
  const { runDaemon } = await import('./run-daemon.ts')
  await runDaemon()
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-agent: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
