import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallError, toInstallError } from '../install-error.ts'
import { type LockedPackage, readLock } from '../lock.ts'
import { npmCi, type NpmSettings } from '../npm/run-npm.ts'
import { inScratch } from '../store/scratch.ts'
import { type LicenceText, licenceTextIn } from './licence-text.ts'

export interface LicenceTextOptions extends NpmSettings {
  readonly store: string
  readonly lock_folder: string
  /** A package of the lock file. */
  readonly package_name: string
}

/** Fetches one package of a lock file, without those that it depends on, and reads its licence. */
export async function licenceTextOf(options: LicenceTextOptions): Promise<LicenceText> {
  const { store, lock_folder, package_name, signal } = options
  signal?.throwIfAborted()
  try {
    const locked = (await readLock(lock_folder)).packages.find(({ name }) => name === package_name)
    if (locked === undefined) throw new InstallError('other', `The lock file has no package ${package_name}.`)
    return await inScratch(store, 'licence', async (scratch) => {
      const tree = join(scratch, 'tree')
      const { manifest, lock } = aloneIn(locked)
      await writeFile(join(tree, 'package.json'), JSON.stringify(manifest))
      await writeFile(join(tree, 'package-lock.json'), JSON.stringify(lock))
      await npmCi(scratch, { packages: [locked] }, options)
      const licence = await licenceTextIn(join(tree, 'node_modules', locked.name), locked.spdx)
      if (licence === null) throw new InstallError('other', `${package_name} brings no text of its licence.`)
      return licence
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw toInstallError(error)
  }
}

/** The entry's own integrity, and none of its dependencies: npm fetches what the lock file holds. */
function aloneIn({ name, package_name, version, entry }: LockedPackage) {
  const kept = ['name', 'version', 'integrity', 'os', 'cpu', 'libc']
  const alone = Object.fromEntries(Object.entries(entry).filter(([key]) => kept.includes(key)))
  const dependencies = { [name]: name === package_name ? version : `npm:${package_name}@${version}` }
  const manifest = { name: 'svc-licence', private: true, dependencies }
  const packages = { '': { name: manifest.name, dependencies }, [`node_modules/${name}`]: alone }
  return { manifest, lock: { name: manifest.name, lockfileVersion: 3, requires: true, packages } }
}
