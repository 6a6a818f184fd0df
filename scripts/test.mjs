import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root, setUp, step } from './setup.mjs'

setUp()
step('Testing')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const result = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(result.status ?? 1)
