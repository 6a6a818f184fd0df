import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownHarness, pinnedVersion } from '@svc/harness'
import { harnessTarget, InstallError, installHarness } from '@svc/sandbox/providers'
import { onceARun } from '../../../../../scripts/once-a-run.ts'

const locks = join(import.meta.dirname, '../../../../../packages/harness/locks')
const nodeMajor = Number(process.versions.node.split('.')[0])

export type FoundHarness =
  { readonly folder: string; readonly version: string; readonly missing: null } | { readonly missing: string }

/**
 * The place of a harness's files: in the folder of installs that SVC_TEST_HARNESSES names, else installed once a run from
 * the registry by the platform's own lock file. Without a registry its tests are skipped aloud, and in CI they fail.
 */
export async function installedHarness(name: string): Promise<FoundHarness> {
  const known = knownHarness(name)
  const version = known === undefined ? null : pinnedVersion(known, nodeMajor)
  if (version === null) throw new Error(`No version of ${name} is pinned for Node ${nodeMajor}`)
  const store = process.env['SVC_TEST_HARNESSES']
  if (store !== undefined) return { folder: await placeIn(store, name, version), version, missing: null }
  try {
    const root = await onceARun(`harness-${name}`, (folder) => install(folder, name, version))
    return { folder: await placeIn(root, name, version), version, missing: null }
  } catch (error) {
    const isAway = error instanceof InstallError && error.kind === 'registry'
    if (!isAway || process.env['CI'] !== undefined) throw error
    const missing = `${name} ${version} cannot be installed here: ${error.message}`
    console.warn(`skipped: ${missing}`)
    return { missing }
  }
}

async function install(store: string, name: string, version: string): Promise<void> {
  await installHarness({
    ...{ store, name, version, target: harnessTarget(), env: process.env },
    lock_folder: join(locks, name, version),
  })
}

async function placeIn(store: string, name: string, version: string): Promise<string> {
  const prefix = `${version}-${harnessTarget()}-`
  const found = (await readdir(join(store, name))).find((folder) => folder.startsWith(prefix))
  if (found === undefined) throw new Error(`There is no ${name} ${prefix} in ${store}`)
  return join(store, name, found)
}

/** A folder of its own for a test file, below the system's. */
export const ownFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'svc-harness-'))
