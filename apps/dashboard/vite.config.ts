import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './compressed.ts'

const outDir = fileURLToPath(new URL('dist', import.meta.url))
const base = '/dashboard/'

/** The theme is set before the first paint by a file of its own: a module would come too late, and the policy knows no inline script. */
function firstPaint(): Plugin {
  const source = readFileSync(new URL('src/design/first-paint.js', import.meta.url), 'utf8')
  const fileName = `assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
  return {
    name: 'first-paint',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { src: `${base}${fileName}` }, injectTo: 'head-prepend' },
    ],
  }
}

/** The worker that shows pushes has one name for good: browsers ask for it anew by that. */
function pushWorker(): Plugin {
  const source = readFileSync(new URL('src/push-worker.js', import.meta.url), 'utf8')
  return {
    name: 'push-worker',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'push-worker.js', source })
    },
  }
}

export default defineConfig({
  root: 'src',
  base,
  plugins: [react(), tailwind(), firstPaint(), pushWorker(), compressed(outDir)],
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    // The assets that the strict policy of the page allows: files of this origin, nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Colours of both themes in one declaration are understood by these.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
