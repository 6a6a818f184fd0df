import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

export interface LicenceText {
  readonly text: string
  /** The hash of the text, which an acceptance names. */
  readonly sha256: string
}

/** A text is shown to a person; a file beyond this is none. */
const maxBytes = 1 << 20

/**
 * The licence in a package's folder: its own file, else the file that `SEE LICENSE IN` names, else its README. A file of
 * its own is first because packages name a README that is changed with each version and only leads to the licence.
 */
export async function licenceTextIn(folder: string, spdx: string | null): Promise<LicenceText | null> {
  const names = (await readdir(folder).catch(() => [])).toSorted()
  const named = /^SEE LICEN[SC]E IN (.+)$/i.exec(spdx ?? '')?.[1]?.trim()
  const choices = [
    names.find((name) => /^(LICEN[SC]E|COPYING)(\.(md|txt))?$/i.test(name)),
    names.find((name) => /^(LICEN[SC]E|COPYING)/i.test(name)),
    // A name with a folder in it could lead out of the package.
    names.find((name) => named !== undefined && name === basename(named)),
    names.find((name) => /^README/i.test(name)),
  ]
  for (const name of choices) {
    if (name === undefined) continue
    const bytes = await readFile(join(folder, name)).catch(() => null)
    if (bytes === null || bytes.length === 0 || bytes.length > maxBytes) continue
    return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  return null
}
