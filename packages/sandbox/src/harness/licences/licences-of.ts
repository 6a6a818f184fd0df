import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readLock } from '../lock.ts'
import { type Machine, thisMachine } from '../target.ts'
import { type LicenceText, licenceTextIn } from './licence-text.ts'
import { isFree, spdxOf } from './spdx.ts'

export interface PackageLicence {
  readonly name: string
  readonly version: string
  /** As package.json has it; null where it says nothing. */
  readonly spdx: string | null
  /** Whether its text has to be accepted. */
  readonly proprietary: boolean
  /** Of a proprietary package; null where it brings no text. */
  readonly licence: LicenceText | null
}

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() })

/** The licence of each package of an install. */
export async function licencesOf(installed_folder: string): Promise<readonly PackageLicence[]> {
  const licences: PackageLicence[] = []
  for (const folder of await packageFolders(installed_folder)) {
    const manifest = await readManifest(folder)
    if (manifest === null) continue
    const spdx = spdxOf(manifest)
    const proprietary = !isFree(spdx)
    const { name, version } = manifest
    const licence = proprietary ? await licenceTextIn(folder, spdx) : null
    licences.push({ name, version, spdx, proprietary, licence })
  }
  return licences.toSorted((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
}

/** The packages of a lock file whose text has to be accepted, without those that are of other machines. */
export async function proprietaryIn(
  lock_folder: string,
  machine: Machine = thisMachine(),
): Promise<readonly string[]> {
  const { packages } = await readLock(lock_folder)
  const named = packages.filter(({ spdx, entry }) => !isFree(spdx) && isOf(machine, entry))
  return [...new Set(named.map(({ name }) => name))]
}

function isOf({ platform, arch, glibc }: Machine, entry: Readonly<Record<string, unknown>>): boolean {
  const allows = (list: unknown, value: string): boolean => !Array.isArray(list) || list.includes(value)
  const libc = glibc === undefined ? 'musl' : 'glibc'
  return allows(entry['os'], platform) && allows(entry['cpu'], arch) && allows(entry['libc'], libc)
}

async function packageFolders(root: string): Promise<readonly string[]> {
  const found: string[] = []
  const rooms = [join(root, 'node_modules')]
  for (const room of rooms) {
    for (const entry of await readdir(room, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue
      const folder = join(room, entry.name)
      if (entry.name.startsWith('@')) rooms.push(folder)
      else {
        found.push(folder)
        rooms.push(join(folder, 'node_modules'))
      }
    }
  }
  return found
}

async function readManifest(folder: string): Promise<z.infer<typeof manifestSchema> | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
  return text === null ? null : manifestSchema.parse(JSON.parse(text))
}
