import { UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { placesOf } from '../../self-host/places.ts'
import { readSettings } from '../../self-host/settings.ts'
import type { Configure } from '../groups.ts'
import { change } from './env.ts'

/**
 * The settings that people choose; docs/self-host.md has the rest. Keys are left to `env set NAME=-`, which never
 * shows them.
 */
const questions = [
  ['SVC_PORT', 'port of the API', '7700'],
  ['SVC_PUBLIC_URL', 'origin that people use, behind a proxy', 'http://127.0.0.1:<port>'],
  ['SVC_SANDBOX_PROVIDER', 'how sandboxes are made: auto, or a provider of docs/sandboxes.md', 'auto'],
  ['SVC_MODEL_BASE_URL', 'an OpenAI-compatible endpoint', 'the scripted demo model'],
  ['SVC_MODEL', 'the model to ask it for', 'none'],
] as const

export const configure: Configure = (command, cli) => {
  command.action(async () => {
    const places = await placesOf(cli.io.env)
    if (!canAsk(cli.io)) {
      throw new UsageError('configure asks at a terminal', 'svc self-host env set NAME=VALUE')
    }
    const now = await readSettings(places.settings)
    const changes: Record<string, string> = {}
    cli.out.note('Enter keeps what is in brackets, - goes back to the default, Ctrl-D leaves all as it was.')
    for (const [name, words, standard] of questions) {
      const answer = await ask(cli.io, `${words} (${name}) [${now[name] ?? standard}] `)
      if (answer === null) return cli.out.note('Nothing was changed.')
      const given = answer.trim()
      if (given !== '') changes[name] = given === '-' ? '' : given
    }
    if (Object.keys(changes).length === 0) return cli.out.note('Nothing was changed.')
    await change(cli, places, changes)
    if (changes['SVC_MODEL_BASE_URL']) cli.out.note('Its key: svc self-host env set SVC_MODEL_API_KEY=-')
  })
}
