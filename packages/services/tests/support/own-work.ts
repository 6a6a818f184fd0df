import { authenticate, type Context } from '@svc/context'
import { expect } from 'vitest'
import {
  authorizeGit,
  createChangeRequest,
  mergeChangeRequest,
  putSecret,
  stopSession,
} from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { endOf } from './replica.ts'
import { newSession, type TestSession } from '../../src/testing/sessions.ts'
import { look } from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

/** Agents of several rights, and two triggers. */
export const manifest = `svc_version: 2
default_agent: default
agents:
  default: {}
  everything: { svc_cli: all, secrets: all, connectors: all }
  merger: { svc_cli: [project.read, project.session.start, project.gitops.push, project.gitops.merge] }
  starter: { svc_cli: [project.read, project.session.read, project.session.start, project.gitops.push] }
  needy: { svc_cli: all, connectors: [docs], connectors_required: [docs] }
  trigs:
    svc_cli: [project.read, project.trigger.read, project.trigger.create, project.trigger.update,
      project.trigger.delete, project.trigger.fire]
connectors:
  - { slug: docs, provider: http, base_url: https://docs.example.test }
env: { optional: [A_SECRET] }
triggers:
  - { slug: alone, type: cron, cron: '0 0 * * * *', prompt: 'x {{ message.text }}', agent: everything }
  - { slug: again, type: cron, cron: '0 0 * * * *', prompt: 'x {{ message.text }}', agent: everything, session_mode: reuse }
`
export interface Agent extends TestSession {
  readonly ctx: Context
  /** A commit on a branch, made as a push of this agent is. */
  push(branch: string): Promise<void>
}

/** The session of a real agent, with the token that its sandbox has, in a project that declares agents of several rights. */
export async function openOwnWork() {
  const world = await openWorld()
  const project = await makeProject(world)
  const { project_id } = project
  await putSecret(project.ctx, { project_id, name: 'A_SECRET', value: 'v' })
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare agents')
  await look(world, project)
  let files = 0

  async function agent(agent_name: string, by = project.ctx): Promise<Agent> {
    const session = await newSession(world, project, { agent_name }, by)
    await world.queue.drain()
    const { SVC_CLI_TOKEN = '' } = await session.environment()
    const ctx = world.as(await authenticate(world.base, SVC_CLI_TOKEN))
    const push = async (branch: string) => {
      const { foreign } = await authorizeGit(ctx, { project_id, service: 'git-receive-pack' })
      expect((await foreign?.([branch])) ?? []).not.toContain(branch)
      await project.commit(branch, { [`file-${(files += 1)}.txt`]: 'x\n' }, 'Work', { from: 'main' })
    }
    return { ...session, ctx, push }
  }

  const open = (ctx: Context, head_ref: string, session_id?: string) =>
    createChangeRequest(ctx, { project_id, title: 'Work', head_ref, session_id })
  const merge = async (ctx: Context, cr: string) => {
    world.queue.live = true
    const end = await endOf(mergeChangeRequest(ctx, { project_id, cr }))
    await world.queue.settled()
    world.queue.live = false
    return end
  }
  const stopped = async ({ key }: TestSession) => {
    world.queue.live = true
    await stopSession(project.ctx, key)
    await world.queue.settled()
    world.queue.live = false
  }
  return { world, project, project_id, agent, open, merge, stopped }
}
