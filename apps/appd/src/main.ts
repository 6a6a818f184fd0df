import { openAppd } from './appd.ts'
import { readEnv } from './env.ts'
import { inheritedEnvironment } from './program/program-environment.ts'

/** A provider that asks a sandbox to end waits two seconds at most. */
const graceMs = 1_500

async function main(): Promise<void> {
  const appd = await openAppd(readEnv(process.env), inheritedEnvironment(process.env))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void appd.close(graceMs).finally(() => process.exit(0)))
  process.stdout.write('svc-appd: waits for a program\n')
}

main().catch((error: unknown) => {
  process.stderr.write(`svc-appd: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
