import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const current: Configure = (command, cli) => {
  jsonFlag(command).action(async (flags: JsonFlag) => {
    const { host, api_url, host_source } = await cli.target()
    if (flags.json) return cli.out.json({ name: host, api_url, source: host_source })
    cli.out.line(host)
    cli.out.note(`${api_url} (${host_source})`)
  })
}
