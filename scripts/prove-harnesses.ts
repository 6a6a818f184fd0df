// Installs each pinned harness of this node from the registry into a folder, and asks each program to initialize:
//   npx tsx scripts/prove-harnesses.ts <folder> [<name> ...]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { harnessTarget, installHarness, verifyInstalled } from '@svc/sandbox/providers'

const locks = join(import.meta.dirname, '..', 'packages', 'harness', 'locks')
const isOfNode20 = process.versions.node.startsWith('20.')

const harnesses = [
  {
    name: 'claude',
    version: isOfNode20 ? '0.49.0' : '0.101.0',
    program: ['node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js'],
  },
  {
    name: 'codex',
    version: '2.6.0',
    program: ['node_modules/@agentclientprotocol/codex-acp/dist/index.js'],
  },
  {
    name: 'gemini',
    version: '0.61.0',
    program: ['node_modules/@google/gemini-cli/bundle/gemini.js', '--acp'],
  },
  { name: 'pi-acp', version: '0.0.24', program: ['node_modules/pi-acp/dist/index.js'] },
]

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { _meta: { gateway: true } },
    },
  },
}
const answerMs = 60_000

async function main(store: string, names: readonly string[]): Promise<void> {
  for (const { name, version, program } of harnesses) {
    if (names.length > 0 && !names.includes(name)) continue
    const began = performance.now()
    const lock_folder = join(locks, name, version)
    const target = harnessTarget()
    const installed = await installHarness({ store, lock_folder, name, version, target, env: process.env })
    const seconds = (performance.now() - began) / 1000
    const damage = await verifyInstalled(installed.folder)
    const answer: unknown = JSON.parse(await ask(store, installed.folder, program))
    process.stdout.write(`${JSON.stringify({ name, version, ...installed, seconds, damage, answer })}\n`)
  }
}

/** The first line that the program writes, in a home of its own. */
async function ask(store: string, folder: string, [file = '', ...args]: readonly string[]): Promise<string> {
  const home = await mkdtemp(join(store, '.home-'))
  const child = spawn(process.execPath, [join(folder, file), ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, NO_BROWSER: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: answerMs,
  })
  try {
    child.stdin.write(`${JSON.stringify(initialize)}\n`)
    for await (const line of createInterface({ input: child.stdout })) return line
    throw new Error(`${folder} gave no answer.`)
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(home, { recursive: true, force: true })
  }
}

const [store, ...names] = process.argv.slice(2)
if (store === undefined) {
  process.stderr.write('Usage: npx tsx scripts/prove-harnesses.ts <folder> [<name> ...]\n')
  process.exit(2)
}
await mkdir(store, { recursive: true })
await main(store, names)
