/**
 * Runs in the sandbox, in the daemon's own process: fetches the environment from the platform, opens the ways in and out,
 * and becomes the daemon. Node's own modules only. Where there is no relay (another kind of container), the environment
 * is what the container was started with.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { apiWait, apiWaitMs } from '@svc/facts'
import { fetchBoot, type Boot } from './fetch-boot.ts'
import { appdVariables } from '../../../programs/wire.ts'
import { openFronts } from './fronts.ts'
import { openInward } from './inward.ts'
import { openForward } from './forward.ts'
import { untilListening } from './until-listening.ts'
import { openProxy } from './proxy.ts'

const relay = '/run/svc-platform/relay'
const programs = '/opt/svc/tools/lib'
const toolsPath = '/opt/svc/tools/bin'
/** Variables that the container's engine sets and no sandbox has. */
const engineNames = ['HOSTNAME', 'OLDPWD', 'SHLVL', '_']

async function main(): Promise<void> {
  if (existsSync(relay)) await openRelay(await fetchBoot(relay))
  const isProgram = process.env[appdVariables.key] !== undefined
  // The tools may not run by themselves in an image that is not made for them.
  if (process.env[appdVariables.image] === undefined)
    process.env['PATH'] = `${process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'}:${toolsPath}`
  else if (process.getuid?.() === 0)
    throw new Error('The user that the image names is root: give it another one with USER.')
  const main = `${programs}/${isProgram ? 'svc-appd.mjs' : 'svc-agent.mjs'}`
  process.argv[1] = main
  await import(pathToFileURL(main).href)
}

async function openRelay(boot: Boot): Promise<void> {
  for (const name of engineNames) delete process.env[name]
  Object.assign(process.env, boot.environment)
  const wait_ms = apiWaitMs(process.env[apiWait.variable], true) ?? apiWait.sandbox_seconds * 1_000
  await Promise.all(boot.forwards.map((forward) => openForward(relay, forward, wait_ms)))
  if (boot.proxy !== null) await openProxy(relay, boot.proxy, wait_ms)
  const { fronts, daemon } = boot
  if (fronts === null) openInward(relay, daemon)
  // A visitor of a program is not turned away because its parent has yet to listen.
  else
    void untilListening(daemon).then(() => {
      openInward(relay, daemon)
      openFronts(fronts, daemon)
    })
  if (boot.entrypoint !== null) runBeside(boot.entrypoint)
}

/** A template's own command; what it prints belongs to the sandbox's output, and its end ends nothing. */
function runBeside(command: string): void {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'] })
  const say = (how: string): void => void process.stdout.write(`svc-entrypoint: ${how}: ${command}\n`)
  child.on('error', (error) => say(`could not start (${error.message})`))
  child.on('exit', (code, signal) => {
    if (code !== 0) say(`ended with ${code ?? signal}`)
  })
}

main().catch((error: unknown) => {
  process.stderr.write(
    `svc-entrypoint: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exit(1)
})
