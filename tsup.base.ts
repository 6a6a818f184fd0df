import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const withoutSsh: Plugin = {
  name: 'without-ssh2',
  setup: (build) => {
    build.onResolve({ filter: /^ssh2$/ }, () => ({ path: 'ssh2', namespace: 'without-ssh2' }))
    build.onLoad({ filter: /.*/, namespace: 'without-ssh2' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Where CommonJS dependencies that were bundled into an ES module find their `require`. */
export const nodeBanner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n')

/** A deployable is one ESM file that carries everything but Node itself. */
export function deployable(overrides: Options = {}): Options {
  return {
    entry: { main: 'src/main.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outDir: 'dist',
    clean: true,
    splitting: false,
    sourcemap: true,
    noExternal: [/.*/],
    external: ['pg-native'],
    // The Docker client carries an SSH client with native files; engines are on the same machine.
    esbuildPlugins: [withoutSsh],
    banner: { js: nodeBanner },
    ...overrides,
  }
}
