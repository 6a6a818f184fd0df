import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printReleases, spentText, stateText } from './print-release.ts'

export const info: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>'))).action(
    async (name: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const app = await client.projects.apps.get(project_id, name)
      const { items: releases } = await client.projects.apps.releases(project_id, name, { limit: 10 })
      if (flags.json) return cli.out.json({ app, releases })
      const failure = app.latest_release?.failure
      cli.out.fields([
        ['app', app.name],
        ['type', app.type],
        ['state', stateText(app)],
        ['failed', failure ? oneLine(failure.message) : null],
        ['address', app.url],
        ['runs since', app.instance?.started_at ?? null],
        ['restarts', app.instance ? String(app.instance.restarts) : null],
        ['spent this month', app.budget ? spentText(app.budget) : null],
        ['access', app.access_mode],
        ['viewers', app.access_mode === 'restricted' ? String(app.viewers.length) : null],
        ['requests at a time', String(app.max_concurrency)],
      ])
      if (releases.length === 0) return
      cli.out.line()
      printReleases(cli.out, releases)
    },
  )
}
