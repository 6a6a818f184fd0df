import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { identify } from './identify.ts'

export const whoami: Configure = (command, cli) => {
  jsonFlag(command).action(async (flags: JsonFlag) => {
    const { client, target } = await cli.connect()
    const identity = await identify(client)
    const where = { host: target.host, api_url: target.api_url, token_source: target.token_source }
    if (flags.json) {
      return cli.out.json(
        identity.kind === 'user' ? { ...identity.me, ...where } : { projects: identity.projects, ...where },
      )
    }
    const fields: [string, string][] =
      identity.kind === 'user'
        ? [
            ['user', identity.words],
            ['user id', identity.me.user_id],
            ...identity.me.accounts.map(({ name, role, account_id }): [string, string] => [
              'account',
              `${oneLine(name)} (${role}) ${account_id}`,
            ]),
          ]
        : [['acts as', identity.words]]
    cli.out.fields([
      ...fields,
      ['host', `${target.host} (${target.api_url})`],
      ['token', `from ${where.token_source ?? ''}`],
    ])
  })
}
