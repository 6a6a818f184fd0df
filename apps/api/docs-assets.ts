import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { assetTypes } from './src/docs/reference-assets.ts'

/** Puts the files of the interactive reference beside a bundle, where the bundled API looks for them. */
export async function copyDocsAssets(out_dir: string): Promise<void> {
  const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const target = join(out_dir, 'docs-assets')
  await mkdir(target, { recursive: true })
  await Promise.all(
    [...assetTypes.keys(), 'LICENSE'].map((name) => copyFile(join(source, name), join(target, name))),
  )
}
