import { defineConfig } from 'tsup'
import { deployable, manifestWorker } from '../../tsup.base.ts'
import { copyHarnessLocks } from './harness-locks.ts'

export default defineConfig(
  deployable({
    onSuccess: () => copyHarnessLocks('dist'),
    entry: {
      main: 'src/main.ts',
      'engine-gate': 'src/engine-gate/main.ts',
      ...manifestWorker,
      // Runs in containers, with Node alone.
      'svc-boot': '../../packages/sandbox/src/providers/docker/guest/boot.ts',
    },
  }),
)
