import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Options } from 'tsup'
import manifest from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const withoutSsh: Plugin = {
  name: 'without-ssh2',
  setup: (build) => {
    build.onResolve({ filter: /^ssh2$/ }, () => ({ path: 'ssh2', namespace: 'without-ssh2' }))
    build.onLoad({ filter: /.*/, namespace: 'without-ssh2' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Messages of zod in other languages, which every start would read and nothing uses. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: (build) => {
    const nothing = { path: 'zod-locales', namespace: 'without-locales' }
    build.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, () => nothing)
    build.onLoad({ filter: /.*/, namespace: 'without-locales' }, () => ({ contents: 'export {}' }))
  },
}

/** The hash of passwords is native code: the file of the machine that builds lies beside the bundle. */
const nativeArgon2: Plugin = {
  name: 'native-argon2',
  setup: (build) => {
    const beside = { path: './argon2.node', external: true }
    build.onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({ path: 'argon2', namespace: 'native-argon2' }))
    build.onResolve({ filter: /^\.\/argon2\.node$/, namespace: 'native-argon2' }, () => beside)
    build.onLoad({ filter: /.*/, namespace: 'native-argon2' }, () => {
      const { outdir = 'dist' } = build.initialOptions
      mkdirSync(outdir, { recursive: true })
      copyFileSync(argon2File(), join(outdir, 'argon2.node'))
      return { contents: "module.exports = require('./argon2.node')" }
    })
  },
}

/** Of the files that are installed, the one that this machine loads. */
function argon2File(): string {
  const vault = createRequire(new URL('./packages/vault/package.json', import.meta.url))
  const argon2 = createRequire(vault.resolve('@node-rs/argon2'))
  const names = Object.keys(argon2('./package.json').optionalDependencies)
  const file = names.flatMap((name) => {
    try {
      argon2(name)
      return [argon2.resolve(name)]
    } catch {
      return []
    }
  })[0]
  if (file === undefined) throw new Error('@node-rs/argon2 has no file for this machine')
  return file
}

/** The `require` of CommonJS dependencies that were bundled into an ES module. */
export const nodeBanner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n')

/** The checker of manifests, which has threads of its own: a file beside the bundle of each service that reads them. */
export const manifestWorker = {
  'manifest-worker': fileURLToPath(
    new URL('packages/services/src/projects/verdicts/manifest-worker.ts', import.meta.url),
  ),
}

/** A deployable is one ESM file that carries everything but Node itself. */
export function deployable(overrides: Options = {}): Options {
  return {
    entry: { main: 'src/main.ts' },
    format: 'esm',
    platform: 'node',
    target: manifest.engines.node.replace('>=', 'node'),
    outDir: 'dist',
    clean: true,
    splitting: false,
    sourcemap: true,
    noExternal: [/.*/],
    external: ['pg-native'],
    // The Docker client carries an SSH client with native files; engines are on the same machine.
    esbuildPlugins: [withoutSsh, withoutLocales, nativeArgon2],
    banner: { js: nodeBanner },
    ...overrides,
  }
}
