import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperationError } from '../failures.ts'
import { isObject } from '../json-values.ts'

/** The checkout of the platform that this command was built in; null for a copy of the command somewhere else. */
export async function findCheckout(from = dirname(fileURLToPath(import.meta.url))): Promise<string | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
    if (text !== null && isPlatform(text)) return folder
    if (dirname(folder) === folder) return null
  }
}

export async function requireCheckout(what: string): Promise<string> {
  const checkout = await findCheckout()
  if (checkout !== null) return checkout
  throw new OperationError(
    `${what} needs the platform's checkout, and this svc is a copy outside of one`,
    'clone the platform and run `npx svc` in the clone',
  )
}

function isPlatform(text: string): boolean {
  try {
    const manifest: unknown = JSON.parse(text)
    return isObject(manifest) && manifest['name'] === 'svc-platform'
  } catch {
    return false
  }
}
