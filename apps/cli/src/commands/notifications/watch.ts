import { type WatchLevel, watchLevels } from '@svc/facts'
import { Argument } from 'commander'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const watch: Configure = (command, cli) => {
  command.addArgument(
    new Argument('<level>', 'all that you may read, mine (the default), or none').choices(watchLevels),
  )
  projectFlag(jsonFlag(command)).action(
    async (level: WatchLevel, { project, json }: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      const watched = await client.notifications.watch(project_id, level)
      if (json) return cli.out.json(watched)
      cli.out.line(said[level])
    },
  )
}

const said = {
  all: 'You are told of everything in this project that you may read.',
  mine: 'You are told of your own part of this project.',
  none: 'You are told of nothing in this project.',
} as const
