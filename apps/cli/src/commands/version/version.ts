import { version } from '../../version.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const versionCommand: Configure = (command, cli) => {
  jsonFlag(command).action((flags: JsonFlag) =>
    flags.json ? cli.out.json({ version }) : cli.out.line(version),
  )
}
