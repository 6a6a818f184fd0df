import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'

const outDir = fileURLToPath(new URL('dist', import.meta.url))

export default defineConfig({
  root: 'src',
  base: '/dashboard/',
  plugins: [react(), compressed(outDir)],
  build: {
    outDir,
    emptyOutDir: true,
    // The assets that the strict policy of the page allows: files of this origin, nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
