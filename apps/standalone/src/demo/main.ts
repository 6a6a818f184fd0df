import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SettingsError } from '@svc/boot'
import { createClient } from '@svc/sdk'
import { readEnv } from '../env.ts'
import { loadSettingsFile } from '../settings-file.ts'
import { StartError } from '../start-error.ts'
import { findPlatform } from './find-platform.ts'
import { narrate } from './narrate.ts'
import { runStory } from './run-story.ts'

const usage = 'Usage: npm run demo [-- --repo <path or https address of a git repository>]'
const appDir = dirname(dirname(fileURLToPath(import.meta.url)))

process.exitCode = await demo()

async function demo(): Promise<number> {
  const args = readArgs()
  if (args === null) return 2
  try {
    loadSettingsFile(process.env.SVC_DATA_DIR)
    const platform = await findPlatform(readEnv(process.env), appDir)
    try {
      const { api_url, token } = platform.bootstrap
      const client = createClient({ api_url, token })
      await runStory({
        client,
        bootstrap: platform.bootstrap,
        cli: join(appDir, '../cli/dist/main.js'),
        repo: args.repo,
      })
      narrate.step('Done: the change is on the default branch')
      return 0
    } finally {
      await platform.close()
    }
  } catch (error) {
    const known = error instanceof SettingsError || error instanceof StartError
    process.stderr.write(
      `\n${known ? error.message : `The demo failed: ${error instanceof Error ? error.message : String(error)}`}\n`,
    )
    return 1
  }
}

function readArgs(): { repo: string | null } | null {
  try {
    const { values } = parseArgs({ options: { repo: { type: 'string' } } })
    return { repo: values.repo ?? null }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    return null
  }
}
