import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { knownHarness, pinnedVersion } from '@svc/harness'
import {
  exportInstalled,
  findInstalled,
  harnessTarget,
  importInstalled,
  listInstalled,
  verifyInstalled,
} from '@svc/sandbox/providers'
import { nodeMajor } from '@svc/services'

interface Parts {
  readonly store: string
  /** The folder of the lock files of this release. */
  readonly locks: string
  readonly stdin: Readable
  readonly stdout: Writable
}

/** The work on the installs of this machine that no platform has to run for: `verify`, `export` and `import`. */
export async function runHarnessFiles(args: readonly string[], parts: Parts): Promise<void> {
  const [verb, name, version] = args.map((word) => (word === '' ? undefined : word))
  if (verb === 'verify') return verify(parts, name)
  if (verb === 'export' && name !== undefined) return exportOne(parts, name, version)
  if (verb === 'import') return importOne(parts, name)
  throw new Error('Say verify [name], export <name> [version] or import [digest]')
}

/** Reads every file of the installs; `problem` is null where all is as it was installed. */
async function verify({ store, stdout }: Parts, name: string | undefined): Promise<void> {
  const installs = []
  for (const { folder, ...install } of await listInstalled(store))
    if (name === undefined || install.name === name)
      installs.push({ ...install, problem: await verifyInstalled(folder) })
  stdout.write(`${JSON.stringify({ installs })}\n`)
}

async function exportOne({ store, locks, stdout }: Parts, name: string, asked: string | undefined) {
  const known = knownHarness(name)
  const version = asked ?? (known === undefined ? null : pinnedVersion(known, nodeMajor))
  if (version === null) throw new Error(`There is no install of ${name}: the platform pins no version of it`)
  const lock_folder = join(locks, name, version)
  const target = harnessTarget()
  const found = await findInstalled({ store, name, version, target, lock_folder })
  if (found === null) throw new Error(`${name} ${version} is not installed on this machine for ${target}`)
  const problem = await verifyInstalled(found.folder)
  if (problem !== null) throw new Error(`The install of ${name} ${version} is damaged: ${problem}`)
  await exportInstalled(found.folder, stdout)
}

async function importOne({ store, locks, stdin, stdout }: Parts, digest: string | undefined) {
  const { name, version, bytes, ...imported } = await importInstalled(store, stdin, {
    ...{ target: harnessTarget(), digest },
    lockFolder: (one, of_version) => {
      const folder = join(locks, one, of_version)
      const isInside = /^[a-z0-9-]+$/.test(one) && /^[\w.-]+$/.test(of_version)
      return isInside && existsSync(folder) ? folder : null
    },
  })
  stdout.write(`${JSON.stringify({ name, version, bytes, digest: imported.digest })}\n`)
}
