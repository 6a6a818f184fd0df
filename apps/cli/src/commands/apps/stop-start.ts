import type { Cli } from '../../cli.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

const set =
  (verb: 'stop' | 'start', said: string): Configure =>
  (command, cli: Cli) => {
    projectFlag(jsonFlag(command.argument('<app>'))).action(
      async (name: string, flags: JsonFlag & ProjectFlag) => {
        const { client, project_id } = await cli.project(flags.project)
        const app = await client.projects.apps[verb](project_id, name)
        if (flags.json) return cli.out.json(app)
        cli.out.note(`${name} ${said}.`)
      },
    )
  }

export const stop = set('stop', 'is stopped: visitors are answered 503 until it is started')
export const start = set('start', 'is started')
