import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { spdxOf } from './licences/spdx.ts'

/** The files that an install is made of. */
export const lockFiles = ['package.json', 'package-lock.json'] as const

export interface LockedPackage {
  /** The place in the install: `node_modules/a/node_modules/b`. */
  readonly path: string
  /** The name of the place, which an alias gives to a package of another name. */
  readonly name: string
  /** The name in the registry. */
  readonly package_name: string
  readonly version: string
  readonly integrity: string | undefined
  readonly spdx: string | null
  readonly entry: Readonly<Record<string, unknown>>
}

export interface Lock {
  readonly packages: readonly LockedPackage[]
}

const lockSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      integrity: z.string().optional(),
    }),
  ),
})

export async function readLock(lock_folder: string): Promise<Lock> {
  const text = await readFile(join(lock_folder, 'package-lock.json'), 'utf8')
  const { packages } = lockSchema.parse(JSON.parse(text))
  return {
    packages: Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, entry]) => {
        const name = nameOf(path)
        return {
          path,
          name,
          package_name: entry.name ?? name,
          version: entry.version ?? '',
          integrity: entry.integrity,
          spdx: spdxOf(entry),
          entry,
        }
      }),
  }
}

/** `node_modules/a/node_modules/@b/c` is of the package `@b/c`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13)
