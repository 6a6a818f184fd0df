import { activeHost, allHosts } from '../../config/hosts.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const ls: Configure = (command, cli) => {
  jsonFlag(command).action(async (flags: JsonFlag) => {
    const config = await cli.config()
    const active = activeHost(config)
    const hosts = allHosts(config).map(({ name, api_url, token, builtin }) => ({
      name,
      api_url,
      active: name === active,
      logged_in: token !== null,
      builtin,
    }))
    if (flags.json) return cli.out.json(hosts)
    cli.out.table(
      [{ header: '' }, { header: 'NAME' }, { header: 'API', flexible: true }, { header: 'LOGIN' }],
      hosts.map((host) => [
        host.active ? '*' : '',
        host.name,
        host.api_url ?? '-',
        host.logged_in ? 'yes' : 'no',
      ]),
    )
  })
}
