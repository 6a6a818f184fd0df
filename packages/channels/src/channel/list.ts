import { requireProject } from '@svc/context'
import { channels } from '@svc/db/channels'
import type { ChannelContext } from '../context.ts'
import { type Asking, type ChannelInput, requireChannel } from './find.ts'
import { presentChannel } from './present.ts'

type Reading = Asking & Pick<ChannelContext, 'settings'>

/** By their slugs. */
export async function listChannels(ctx: Reading, { project_id }: { readonly project_id: string }) {
  await requireProject(ctx, project_id, 'project.connector.read')
  const rows = await channels.list(ctx.db, project_id)
  return { channels: rows.map((row) => presentChannel(ctx, row)) }
}

export async function getChannel(ctx: Reading, input: ChannelInput) {
  const { row } = await requireChannel(ctx, input, 'project.connector.read')
  return presentChannel(ctx, row)
}
