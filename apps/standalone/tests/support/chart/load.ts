import { join } from 'node:path'
import type { Client, Project, Session } from '@svc/sdk'
import { git } from '../clients/git.ts'
import { awaitTurn, bash, lastSeq, script } from '../sessions/agent.ts'
import { startLanes } from '../upgrade/lanes.ts'

/** Only how long a failure takes to show. */
const limits = { step_ms: 120_000, stop_ms: 180_000 }

export interface ChartLoad {
  /** Ends the rounds that have begun: what was asked, and what did not end as asked. */
  stop(): Promise<{ readonly turns: number; readonly pushes: number; readonly wrong: readonly string[] }>
}

/** People who read, push, and talk to a session, without an attempt of their own to try again. */
export async function startChartLoad(
  client: Client,
  token: string,
  { project, session, root }: { project: Project; session: Session; root: string },
  context: () => string,
): Promise<ChartLoad> {
  const { project_id, session_id } = session
  const { sessions, changeRequests } = client.projects
  const wrong: string[] = []
  const done = { turns: 0, pushes: 0 }
  const cwd = join(root, `pushes-${session_id}`)
  await git(['clone', '-q', project.repo_url, cwd], { token })
  let after = await lastSeq(client, session)
  const lanes = startLanes(wrong, limits, context)
  lanes.add('read', 100, async (_round, step) => {
    await step('projects', (signal) => client.projects.list({ signal }))
    await step('a session', (signal) => sessions.get(project_id, session_id, { signal }))
    await step('change requests', (signal) => changeRequests.list(project_id, {}, { signal }))
  })
  lanes.add('push', 1_000, async (round, step) => {
    await git(['commit', '-q', '--allow-empty', '-m', `Push ${round}`], { cwd })
    await step('pushes', () => git(['push', '-q', 'origin', 'HEAD:refs/heads/pushed'], { cwd, token }))
    done.pushes += 1
  })
  lanes.add('talk', 500, async (round, step) => {
    const text = script(bash(`echo said ${round}`))
    const { prompt_id } = await step('sends a prompt', (signal) =>
      sessions.prompt(project_id, session_id, { text }, { signal }),
    )
    const turn = await step('a turn', (signal) => awaitTurn(client, session, { after, prompt_id, signal }))
    if (turn.status !== 'completed' || !turn.outputs.join('\n').includes(`said ${round}`))
      throw new Error(`the turn was ${turn.status}: ${turn.outputs.join('\n')}`)
    after = turn.events.at(-1)?.seq ?? after
    done.turns += 1
  })
  return {
    async stop() {
      await lanes.stop()
      return { ...done, wrong }
    },
  }
}
