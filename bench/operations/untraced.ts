import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { bundleOptions } from '../../scripts/bundle-process.ts'

const program = fileURLToPath(new URL('serve.ts', import.meta.url))

/** The code for traces that a request passes, and what stands there when it was never written. */
const traced: readonly (readonly [code: string, without: string])[] = [
  ["const span = tracing?.begin({ name: method, kind: 'server', parent: given.traceparent })", ''],
  [', ...(span && { traceparent: span.traceparent })', ''],
  [', ...(span && { trace_id: span.trace_id })', ''],
  ['if (!isLogged && span === undefined) return', 'if (!isLogged) return'],
  ['span?.end(spanEnd({ method, route, status }, facts))', ''],
]

const withoutTraces: Plugin = {
  name: 'without-traces',
  setup: ({ onLoad }) =>
    onLoad({ filter: /door\/visit\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const contents = traced.reduce((left, [code, without]) => {
        if (!left.includes(code)) throw new Error(`${path} has no ${code}`)
        return left.replace(code, without)
      }, text)
      return { contents, loader: 'ts' }
    }),
}

/** The API in one file: as it is, and without its code for traces. */
export async function bundledApis(folder: string): Promise<{ readonly as_is: URL; readonly untraced: URL }> {
  const [as_is, untraced] = [join(folder, 'as-is'), join(folder, 'untraced')]
  await build(bundleOptions(program, as_is))
  await build({ ...bundleOptions(program, untraced), plugins: [withoutTraces] })
  const entry = (of: string) => pathToFileURL(join(of, 'serve.mjs'))
  return { as_is: entry(as_is), untraced: entry(untraced) }
}
