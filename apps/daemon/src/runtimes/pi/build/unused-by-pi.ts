import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Modules that pi would load at every start for a terminal and for extensions in files: here it has neither. */
const stubs: Readonly<Record<string, string>> = {
  'jiti/static': "export function createJiti() { throw new Error('This program loads no extensions') }",
  // Asked by name only, so code without a known language stays as it is.
  'highlight.js/lib/index.js': 'export default { getLanguage: () => undefined }',
}

export const unusedByPi: Plugin = {
  name: 'unused-by-pi',
  setup: (build) => {
    const filter = /^(jiti\/static|highlight\.js\/lib\/index\.js)$/
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused-by-pi' }))
    build.onLoad({ filter: /.*/, namespace: 'unused-by-pi' }, ({ path }) => ({ contents: stubs[path] ?? '' }))
  },
}
