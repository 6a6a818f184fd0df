import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { bundledDeclarations } from './declarations.ts'
import { flatTypes } from './flat-types.ts'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(folder, 'src')

/**
 * Writes the package that is published into `out`: one file for `import`, one for `require`, the types of both, and
 * nothing that it depends on. `npm publish <out>` does the rest.
 */
export async function packageSdk(out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  await bundleSdk(out)
  const types = bundledDeclarations(source, new Map([['types.ts', flatTypes(join(source, 'types.ts'))]]))
  await writeFile(join(out, 'index.d.ts'), types)
  await writeFile(join(out, 'index.d.cts'), types)
  await writeFile(join(out, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
  await copyFile(join(folder, 'README.md'), join(out, 'README.md'))
  await copyFile(join(folder, '../../LICENSE'), join(out, 'LICENSE'))
  await copyFile(
    join(folder, 'node_modules/eventsource-parser/LICENSE'),
    join(out, 'LICENSE.eventsource-parser'),
  )
}

/** The code alone, for a user who needs no types. */
export async function bundleSdk(out: string): Promise<void> {
  const common: BuildOptions = {
    entryPoints: [join(source, 'index.ts')],
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'inline',
  }
  await build({ ...common, format: 'esm', outfile: join(out, 'index.js') })
  await build({ ...common, format: 'cjs', outfile: join(out, 'index.cjs') })
}

async function manifest(): Promise<object> {
  const own: { name: string; version: string; description: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './index.cjs',
    module: './index.js',
    types: './index.d.cts',
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './index.d.cts', default: './index.cjs' },
      },
      './package.json': './package.json',
    },
    files: ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts', 'LICENSE.eventsource-parser'],
  }
}
