import { type AccessibleProject, requireProject } from '@svc/context'
import { type ChannelRow, channels } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import type { Capability } from '@svc/facts'
import type { ChannelContext } from '../context.ts'

export interface ChannelInput {
  readonly project_id: string
  readonly slug: string
}

export type Asking = Pick<ChannelContext, 'db' | 'principal' | 'trail'>

/** A channel that was not disconnected by a person, for a caller who may do that with it. */
export async function requireChannel(
  ctx: Asking,
  { project_id, slug }: ChannelInput,
  capability: Capability,
): Promise<{ readonly project: AccessibleProject; readonly row: ChannelRow }> {
  const project = await requireProject(ctx, project_id, capability)
  const row = await channels.find(ctx.db, { project_id, slug })
  if (row === undefined || row.disconnected_reason === 'user')
    throw new ServiceError('not_found', `No channel is connected as ${slug}; list those of the project`)
  return { project, row }
}

export const channelTarget = ({ project_id, slug }: ChannelInput): string =>
  `projects/${project_id}/channels/${slug}`
