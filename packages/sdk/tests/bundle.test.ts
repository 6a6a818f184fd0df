import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('a browser bundle carries no schema library, no Node module and stays small', async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
  })
  const inputs = Object.keys(result.metafile.inputs)
  expect(inputs.filter((path) => /node_modules/.test(path) && !/eventsource-parser/.test(path))).toEqual([])
  expect(inputs.filter((path) => /packages\/(?!sdk\/|timing\/)/.test(path))).toEqual([])
  expect(result.outputFiles[0]?.contents.length).toBeLessThan(48_100)
})
