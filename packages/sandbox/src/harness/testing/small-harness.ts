import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeTree } from '../store/remove-tree.ts'
import type { InstallOptions } from '../install-harness.ts'
import { type SmallPackage, type SmallRegistry, smallRegistry } from './small-registry.ts'

export interface SmallHarness extends AsyncDisposable {
  readonly top: string
  readonly registry: SmallRegistry
  readonly options: InstallOptions
}

const agent: SmallPackage = {
  name: 'small-agent',
  version: '1.0.0',
  manifest: { license: 'MIT', bin: { 'small-agent': 'main.js' }, dependencies: { 'small-part': '^2.0.0' } },
  files: {
    'main.js': '#!/usr/bin/env node\nconsole.log(require("small-part"))\n',
    LICENSE: 'Do as you like.\n',
  },
}

const part: SmallPackage = {
  name: 'small-part',
  version: '2.0.0',
  manifest: { license: 'SEE LICENSE IN TERMS.md' },
  files: { 'index.js': 'module.exports = "a part"\n', 'TERMS.md': 'All rights are kept.\n' },
}

export interface SmallHarnessOptions {
  /** The tarball of its part is never sent to its end. */
  readonly hangs?: boolean
  /** The integrity that the lock file has of the part, instead of its own. */
  readonly integrity?: string
  /** The licence of the part, which is proprietary else. */
  readonly licence?: string
}

/** A harness of two packages with its lock file, a registry that serves it, and an empty store. */
export async function smallHarness(options: SmallHarnessOptions = {}): Promise<SmallHarness> {
  const manifestOfPart = options.licence === undefined ? part.manifest : { license: options.licence }
  const served = { ...part, manifest: { ...manifestOfPart }, hangs: options.hangs ?? false }
  const registry = await smallRegistry([agent, served])
  const top = await realpath(await mkdtemp(join(tmpdir(), 'svc-harness-')))
  const lock_folder = join(top, 'lock')
  await mkdir(lock_folder)
  const dependencies = { 'small-agent': '1.0.0' }
  const manifest = { name: 'small', private: true, dependencies }
  const locked = ({ name, version, manifest: own }: SmallPackage) => ({
    [`node_modules/${name}`]: { version, integrity: registry.integrityOf(name), ...own },
  })
  const packages = { '': { name: 'small', dependencies }, ...locked(agent), ...locked(served) }
  const lock = { name: 'small', lockfileVersion: 3, requires: true, packages }
  const lockText = JSON.stringify(lock).replace(
    registry.integrityOf('small-part'),
    options.integrity ?? registry.integrityOf('small-part'),
  )
  await writeFile(join(lock_folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(lock_folder, 'package-lock.json'), lockText)
  return {
    top,
    registry,
    options: {
      store: join(top, 'store'),
      lock_folder,
      name: 'small',
      version: '1.0.0',
      target: 'linux-x64-glibc-node20',
      env: { PATH: process.env['PATH'], HOME: top, npm_config_registry: registry.url },
    },
    async [Symbol.asyncDispose]() {
      await removeTree(top)
      await registry[Symbol.asyncDispose]()
    },
  }
}
