import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsError } from '@svc/boot'
import { createClient } from '@svc/sdk'
import { readEnv } from '../env.ts'
import { loadSettingsFile } from '../settings-file.ts'
import { StartError } from '../start-error.ts'
import { readArguments } from './arguments.ts'
import { findPlatform } from './find-platform.ts'
import { narrate } from './narrate.ts'
import { readyAgent } from './ready-agent.ts'
import { runStory } from './run-story.ts'

const appDir = dirname(dirname(fileURLToPath(import.meta.url)))

process.exitCode = await demo(process.argv.slice(2))

async function demo(words: readonly string[]): Promise<number> {
  const args = readArguments(words)
  if (typeof args === 'string') {
    process.stderr.write(`${args}\n`)
    return 2
  }
  try {
    loadSettingsFile(process.env.SVC_DATA_DIR)
    const platform = await findPlatform(readEnv(process.env), appDir)
    try {
      const { api_url, token } = platform.bootstrap
      const client = createClient({ api_url, token })
      if (args.agent !== null) await readyAgent(platform.bootstrap, args.agent, args)
      await runStory({
        client,
        bootstrap: platform.bootstrap,
        cli: join(appDir, '../cli/dist/main.js'),
        ...args,
      })
      narrate.step('Done: the change is on the default branch')
      return 0
    } finally {
      await platform.close()
    }
  } catch (error) {
    const known = error instanceof SettingsError || error instanceof StartError
    const without = args.agent === null ? '' : '\nWithout that agent: npm run demo'
    process.stderr.write(
      `\n${known ? error.message : `The demo failed: ${error instanceof Error ? error.message : String(error)}`}${without}\n`,
    )
    return 1
  }
}
