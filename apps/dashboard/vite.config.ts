import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src',
  base: '/dashboard/',
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    // The assets that the strict policy of the page allows: files of this origin, nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
