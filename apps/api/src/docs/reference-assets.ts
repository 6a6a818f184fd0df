import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files of the interactive reference that a browser loads, and nothing else of their package. */
export const assetTypes: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

/** The folder beside the bundle when there is one, else in the package itself. */
function assetsDirectory(): string {
  const bundled = fileURLToPath(new URL('./docs-assets', import.meta.url))
  if (existsSync(bundled)) return bundled
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** Reads each file once, when it is first asked for. */
export function referenceAssets(): (name: string) => Promise<Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return (name) => {
    const known = files.get(name)
    if (known) return known
    const file = readFile(join(assetsDirectory(), name)).then((bytes) => new Uint8Array(bytes))
    files.set(name, file)
    return file
  }
}
