import { activeHost, findHost } from '../../config/hosts.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { noSuchHost } from './no-such-host.ts'

export const info: Configure = (command, cli) => {
  jsonFlag(command.argument('[name]', 'the active host when left out')).action(
    async (given: string | undefined, flags: JsonFlag) => {
      const config = await cli.config()
      const active = activeHost(config)
      const name = given ?? cli.host ?? active
      const host = findHost(config, name)
      if (host === null) throw noSuchHost(name)
      const health =
        host.api_url === null
          ? null
          : await cli
              .clientFor(host.api_url, null)
              .health()
              .catch(() => null)
      const shown = {
        name,
        api_url: host.api_url,
        active: name === active,
        logged_in: host.token !== null,
        builtin: host.builtin,
        version: health?.version ?? null,
        reachable: health !== null,
      }
      if (flags.json) return cli.out.json(shown)
      cli.out.fields([
        ['name', shown.name],
        ['api', shown.api_url ?? 'no address yet'],
        ['active', shown.active ? 'yes' : 'no'],
        ['login', shown.logged_in ? 'yes' : 'no'],
        ['answers', health === null ? 'no' : `yes, release ${oneLine(health.version)}`],
      ])
    },
  )
}
