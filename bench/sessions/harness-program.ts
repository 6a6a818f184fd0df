import { join } from 'node:path'
import { build } from 'tsup'
import { binaries } from '../../apps/daemon/tests/support/runtime-binary.ts'
import {
  type HarnessLaunch,
  harnessLaunch,
  knownHarness,
  pinnedVersion,
} from '../../packages/harness/src/index.ts'
import { harnessTarget, installHarness } from '../../packages/sandbox/src/providers/index.ts'
import { deployable } from '../../tsup.base.ts'
import { round } from './measure.ts'

/** The agent of the tests, as a program of a project's own. */
export const ownAgent = 'mine'

const noSettings = { command: null, env: {}, model_env: [], mode: null, options: {}, variant: null }

export interface HarnessProgram {
  readonly launch: HarnessLaunch
  readonly programs: Readonly<Record<string, string>>
  readonly binaries: Readonly<Record<string, string>>
  /** Tells its process from every other one of its sandbox. */
  readonly word: string
  readonly install: { readonly mb: number; readonly seconds: number } | null
}

/** Builds or installs an agent; an install comes from the registry, or from npm's cache where that has it. */
export async function harnessProgram(name: string, folder: string): Promise<HarnessProgram> {
  if (name === ownAgent) return ownProgram(join(folder, 'agent'))
  const known = knownHarness(name)
  if (known === undefined) throw new Error(`There is no harness ${name}`)
  const settings = { ...noSettings, dialect: known.dialect }
  const frozen = { harness: name, auth: 'gateway' as const, settings }
  const { program } = known
  if (program.kind !== 'npm') {
    const launch = harnessLaunch({ ...frozen, version: null }, null)
    return { launch, programs: {}, binaries: binaries(), word: program.command, install: null }
  }
  const version = pinnedVersion(known, Number(process.versions.node.split('.')[0]))
  if (version === null) throw new Error(`No version of ${name} is pinned for Node ${process.versions.node}`)
  const began = performance.now()
  const installed = await installHarness({
    ...{ store: join(folder, 'store'), name, version, target: harnessTarget(), env: process.env },
    lock_folder: new URL(`../../packages/harness/locks/${name}/${version}`, import.meta.url).pathname,
  })
  return {
    launch: harnessLaunch({ ...frozen, version }, installed.folder),
    ...{ programs: {}, binaries: binaries(), word: program.script },
    install: {
      mb: Math.round(installed.bytes / 1_000_000),
      seconds: round((performance.now() - began) / 1_000),
    },
  }
}

async function ownProgram(outDir: string): Promise<HarnessProgram> {
  const main = new URL('../../apps/daemon/tests/support/acp-agent/main.ts', import.meta.url).pathname
  await build({
    ...deployable({ entry: { main }, outDir, sourcemap: false, silent: true }),
    config: false,
  })
  const env = { ACP_AGENT: JSON.stringify({ auth_gateway: false }) }
  const settings = { ...noSettings, command: ['acp-agent'], dialect: 'chat' as const, env }
  const program = join(outDir, 'main.js')
  return {
    launch: harnessLaunch({ harness: 'bench', version: null, auth: 'gateway', settings }, null),
    ...{ programs: { 'acp-agent': program }, binaries: {}, word: program, install: null },
  }
}
