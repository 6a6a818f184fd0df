/**
 * An install in a process of its own, for tests that kill it: goes as far as the stage of its first argument with the
 * options of its second, says so in a line, and stays.
 */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { installHarness, type InstallOptions } from '../../src/harness/install-harness.ts'
import { inScratch } from '../../src/harness/store/scratch.ts'
import { sealTree } from '../../src/harness/store/seal.ts'

const [, , stage = '', text = ''] = process.argv
const options = JSON.parse(text) as InstallOptions
setInterval(() => undefined, 1_000)

switch (stage) {
  // The registry of the test never sends one package to its end.
  case 'npm':
    process.stdout.write('begun\n')
    await installHarness(options)
    break
  case 'digest':
    await inScratch(options.store, 'small-1.0.0', async (scratch) => {
      const tree = join(scratch, 'tree')
      await cp(options.lock_folder, tree, { recursive: true })
      await sealTree(tree, options)
      process.stdout.write('digested\n')
      await new Promise(() => undefined)
    })
    break
  case 'rename':
    await installHarness(options)
    process.stdout.write('renamed\n')
    break
}
