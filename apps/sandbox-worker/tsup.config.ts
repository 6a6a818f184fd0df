import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'

export default defineConfig(
  deployable({
    entry: {
      main: 'src/main.ts',
      // Runs in containers, with Node alone.
      'svc-boot': '../../packages/sandbox/src/docker/guest/boot.ts',
    },
  }),
)
