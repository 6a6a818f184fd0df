import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'

/** Read at every start of a program, in images of any kind: one short file for Node alone. */
export default defineConfig(
  deployable({
    sourcemap: false,
    esbuildOptions: (options) => {
      options.minifyWhitespace = true
      options.minifySyntax = true
    },
  }),
)
