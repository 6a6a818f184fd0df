import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { bundledDeclarations } from './declarations.ts'
import { flatTypes } from './flat-types.ts'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(folder, 'src')

/** The files that a user imports, each beside its source. */
const entries = [
  ['index', 'index.ts'],
  ['admin', 'admin/index.ts'],
] as const

/**
 * Writes the package that is published into `out`: for each of its two entries one file for `import`, one for `require`,
 * the types of both, and nothing that it depends on. `npm publish <out>` does the rest.
 */
export async function packageSdk(out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  await bundleSdk(out)
  const flat = new Map(
    [
      'types.ts',
      'app-types.ts',
      'channel-types.ts',
      'connector-types.ts',
      'harness-types.ts',
      'notification-types.ts',
      'admin/types.ts',
    ].map((file) => [file, flatTypes(join(source, file))] as const),
  )
  for (const [name, entry] of entries) {
    const types = bundledDeclarations(source, entry, flat)
    await writeFile(join(out, `${name}.d.ts`), types)
    await writeFile(join(out, `${name}.d.cts`), types)
  }
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
    entryPoints: Object.fromEntries(entries.map(([name, entry]) => [name, join(source, entry)])),
    outdir: out,
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'inline',
  }
  await build({ ...common, format: 'esm' })
  await build({ ...common, format: 'cjs', outExtension: { '.js': '.cjs' } })
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
      './admin': {
        import: { types: './admin.d.ts', default: './admin.js' },
        require: { types: './admin.d.cts', default: './admin.cjs' },
      },
      './package.json': './package.json',
    },
    files: [...entries.flatMap(filesOf), 'LICENSE.eventsource-parser'],
  }
}

function filesOf([name]: (typeof entries)[number]): string[] {
  return ['js', 'cjs', 'd.ts', 'd.cts'].map((ending) => `${name}.${ending}`)
}
