import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|svg|html|json)$/

/** Writes each file of the build once more as `.br` and as `.gz`: it is compressed as well as can be, and only once. */
export function compressed(folder: string): Plugin {
  return {
    name: 'svc-compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!compressible.test(name)) continue
        const content = readFileSync(join(folder, name))
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        const params = { ...size, [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}
