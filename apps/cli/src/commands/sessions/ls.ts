import type { Client, Session } from '@svc/sdk'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly limit: number
}

export const ls: Configure = (command, cli) => {
  command.option('--limit <n>', 'how many at most', positive, 50)
  projectFlag(jsonFlag(command)).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const sessions: Session[] = []
    const query = { limit: Math.min(flags.limit, 200) }
    for await (const session of client.projects.sessions.list(project_id, query)) {
      sessions.push(session)
      if (sessions.length === flags.limit) break
    }
    if (flags.json) return cli.out.json(sessions)
    const titles = await titlesOf(client, project_id, sessions, query)
    if (sessions.length === 0) return cli.out.note('No sessions yet: svc sessions new --prompt <text>')
    cli.out.table(
      [
        { header: 'ID' },
        { header: 'STATUS' },
        { header: 'NAME', flexible: true },
        { header: 'AGENT', flexible: true },
        { header: 'ORIGIN', optional: true },
        { header: 'CREATED', optional: true },
      ],
      sessions.map((session) => [
        cli.out.is_terminal ? session.session_id.slice(0, 8) : session.session_id,
        session.status,
        oneLine(session.name ?? titles.get(session.session_id) ?? ''),
        oneLine(session.agent_name),
        session.origin,
        ago(session.created_at, Date.now()),
      ]),
    )
  })
}

/** The first lines of the first prompts of those without a name. */
async function titlesOf(
  client: Client,
  project_id: string,
  sessions: readonly Session[],
  query: { readonly limit: number },
): Promise<ReadonlyMap<string, string>> {
  if (sessions.every(({ name }) => name !== null)) return new Map()
  const page = await client.projects.sessions.summaries(project_id, query)
  return new Map(page.sessions.map(({ session_id, title }) => [session_id, title]))
}
